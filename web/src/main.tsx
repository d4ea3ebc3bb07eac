import { render } from "preact";
import { App } from "./app";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/question.css";
import "./styles/clusters.css";
import "./styles/screens.css";

render(<App />, document.getElementById("app")!);
