// In a project of faces every text of every screen is about faces and people.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import type * as TypeScript from "typescript";
import type { Project } from "../src/api/types";
import { count, titleOf } from "../src/parts/text";
import { dispatch } from "../src/state/session";
import { SENTENCES, saidOfFaces, worded } from "../src/state/words";

const ts: typeof TypeScript = createRequire(join(process.cwd(), "package.json"))("typescript");
const SOURCE = join(process.cwd(), "src");
const NOUN = /\b(pictures?|clusters?|groups?|images?)\b/i;
/** Tables of texts that are worded where they are shown. */
const TABLES = new Set(["ASKED", "TO_DO", "ELSEWHERE", "KEY_WORDS", "WHERE", "TABS", "SOURCES", "KINDS", "WORDS"]);
const TABLE_FILES = new Set(["state/filters.ts STATES"]);
/** Attributes that nobody reads, and pages of studies and crowd work, which are about pictures whatever these show. */
const UNREAD = new Set(["class", "key", "href", "style", "type", "role", "id"]);
const SHOWN = new Set(["label", "what", "title", "placeholder", "alt", "aria-label", "note", "called"]);
const NOT_OF_FACES = /^(api\/|screens\/(crowd|study)|state\/words\.ts)/;

interface Text {
  where: string;
  text: string;
  isWorded: boolean;
}

const clean = (text: string): string => text.replace(/\s+/g, " ");
const isProse = (text: string): boolean => NOUN.test(text) && (/\s/.test(text) || /^[A-Z]/.test(text));

/** Whether a text is, as such or as one of two, the value of an attribute that people read. */
function isInShownAttribute(node: TypeScript.Node): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isInShownAttribute(parent);
  if (ts.isJsxExpression(parent)) return isInShownAttribute(parent);
  return ts.isJsxAttribute(parent) && SHOWN.has(parent.name.getText());
}

/** What is written in a file that a person may read, with a word for what is asked about in it. */
function textsOf(path: string): Text[] {
  const source = readFileSync(join(SOURCE, path), "utf8");
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const found: Text[] = [];
  const visit = (node: TypeScript.Node, isWorded: boolean): void => {
    let inside = isWorded;
    if (ts.isJsxAttribute(node) && UNREAD.has(node.name.getText())) return;
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isCallExpression(node) && ["count", "worded"].includes(node.expression.getText())) inside = true;
    if (ts.isVariableDeclaration(node)) {
      const name = node.name.getText();
      if (TABLES.has(name) || TABLE_FILES.has(`${path} ${name}`)) inside = true;
    }
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const keep = (text: string) => found.push({ where: `${path}:${line + 1}`, text, isWorded: inside });
    if (ts.isTaggedTemplateExpression(node)) {
      inside = node.tag.getText() === "worded";
      const template = node.template;
      if (ts.isTemplateExpression(template)) {
        keep([template.head.text, ...template.templateSpans.map((span) => span.literal.text)].join("{}"));
        for (const span of template.templateSpans) visit(span.expression, false);
      } else keep(template.text);
      return;
    }
    const isShown = !inside && ts.isStringLiteralLike(node) && isInShownAttribute(node);
    if (isShown && NOUN.test(node.text)) keep(node.text);
    else if (ts.isJsxText(node) && NOUN.test(node.text)) keep(clean(node.text));
    else if (ts.isStringLiteralLike(node) && isProse(node.text)) keep(node.text);
    else if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
      if (parts.some((part) => NOUN.test(part)) && !parts.some((part) => /[/#?&]/.test(part))) keep(parts.join("{}"));
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(file, false);
  return found;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.tsx?$/.test(path) && !NOT_OF_FACES.test(path));
const texts = files.flatMap(textsOf);

test("every text about pictures and clusters goes through the one place that words it", () => {
  assert.ok(texts.length > 150);
  assert.deepEqual(
    texts.filter((each) => !each.isWorded),
    [],
  );
});

test("said of faces, every text is about faces and people, and reads as a sentence", () => {
  const wrong = texts
    .map(({ where, text }) => ({ where, said: saidOfFaces(text) }))
    .filter(
      ({ said }) =>
        /\b(clusters?|groups?)\b/i.test(said) ||
        (/\bpictures?\b/i.test(said) && !/ as a picture$/.test(said)) ||
        /\b(a|an|one|this|each|every|another|no|next) (faces|people)\b/i.test(said),
    );
  assert.deepEqual(wrong, []);
});

test("no sentence is kept for a text that is written nowhere", () => {
  const written = new Set(files.flatMap((path) => readFileSync(join(SOURCE, path), "utf8")).map(clean));
  const all = [...written].join("\n");
  const gone = Object.keys(SENTENCES).filter((text) => !text.split("{}").every((part) => all.includes(clean(part))));
  assert.deepEqual(gone, []);
});

test("what is filled in stays as people named it, and pictures stay pictures elsewhere", () => {
  dispatch({ type: "project", project: { of_faces: true } as Project });
  assert.equal(worded`Moved it to ${"my pictures"} of all clusters`, "Moved it to my pictures of all people");
  assert.equal(count(1, "cluster"), "1 person");
  assert.equal(count(3, "picture"), "3 faces");
  assert.equal(titleOf({ name: "", size: 2 }), "Unnamed, 2 faces");
  assert.equal(titleOf({ name: "A group", size: 2 }), "A group");
  dispatch({ type: "project", project: { of_faces: false } as Project });
  assert.equal(worded`Clusters of ${"x"}`, "Clusters of x");
  assert.equal(count(3, "picture"), "3 pictures");
});
