import { render } from "preact";
import { App } from "./screens/app";
import { CrowdPage } from "./screens/crowd";
import { Join } from "./screens/join";
import { StudyPage } from "./screens/study";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/controls.css";
import "./styles/parts.css";
import "./styles/dialogs.css";
import "./styles/question.css";
import "./styles/question-notes.css";
import "./styles/answers.css";
import "./styles/clusters.css";
import "./styles/stacks.css";
import "./styles/grid.css";
import "./styles/screens.css";
import "./styles/history.css";
import "./styles/map.css";
import "./styles/progress.css";
import "./styles/search.css";
import "./styles/settings.css";
import "./styles/tags.css";
import "./styles/participant.css";
import "./styles/team.css";

// Studies and crowd work are pages of their own, of which an address can be sent.
function page() {
  const [, room, name = ""] = location.pathname.split("/");
  if (room === "study") return <StudyPage name={name} />;
  if (room === "crowd") return <CrowdPage name={name} />;
  if (room === "join") return <Join />;
  return <App />;
}

const root = document.getElementById("app");
if (root) render(page(), root);
