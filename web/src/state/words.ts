// Words for what is asked about: pictures in groups or, in a project of faces, faces of people. Texts are written about
// pictures; all that is said of faces instead is here.
import { computed } from "@preact/signals";
import { project } from "./session";

/** Whether faces in pictures are asked about, and not pictures. */
export const ofFaces = computed(() => project.value?.of_faces === true);

/** The server has the same (`likewise.formats.words`). */
export const NOUNS: Record<string, string> = {
  picture: "face",
  pictures: "faces",
  cluster: "person",
  clusters: "people",
  group: "person",
  groups: "people",
};

/** Texts for which other nouns do not suffice, {} for what is filled in; some are about photographs, which have faces. */
export const SENTENCES: Record<string, string> = {
  "Bad picture": "Not a face",
  "bad picture": "face",
  "bad pictures": "faces",
  "a bad picture": "what is not a face",
  "Which picture is bad?": "Which is not a face?",
  "Which picture is of no use? Press it, and it is left out and never asked about again.":
    "Which is not a face, or of no use? Press it, and it is left out and never asked about again.",
  "Which picture is of no use? It is left out and never asked about again.":
    "Which is not a face, or of no use? It is left out and never asked about again.",
  "Same or different?": "The same person?",
  "Are these two the same?": "Are these two the same person?",
  "Do these two belong together?": "Are these two the same person?",
  "Which two belong together?": "Which two are the same person?",
  "Which of these do not belong?": "Which of these are somebody else?",
  "Which group is this picture of?": "Who is this?",
  "Is this picture one of this group?": "Is this the same person as these?",
  "Are these two groups the same?": "Are these two the same person?",
  "Tap those that do not belong to the group, then send.": "Tap those that are somebody else, then send.",
  "Choose its group, or none of them.": "Choose the person, or none of them.",
  "Nothing to say yet. Now and then a question is a check: two pictures of one cluster, picked at random. From your answers to these follows how many pairs of the clusters are right.":
    "Nothing to say yet. Now and then a question is a check: two faces taken for one person, picked at random. From your answers to these follows how many such pairs are right.",
  " of the pairs within clusters are right, from": " of the pairs of faces taken for one person are right, from",
  "Clusters that you name appear here, with an example each.": "People whom you name appear here, with a face each.",
  "There is no other cluster": "There is nobody else",
  "cluster of {}": "person with {}",
  "this cluster of {}": "this person with {}",
  "Number {}; it stays with this group": "Number {}; it stays with this person",
  Group: "Person",
  "Group {}": "Person {}",
  "The group": "The person",
  "{}, an example of the group": "{}, a face of the person",
  "Picture {}, of the group too": "Face {}, of the same person",
  "Picture {} of the group": "Face {} of the person",
  "This group is complete and right": "These are all the faces of this person, and no others",
  "Which group is complete and right?": "Whose faces are all there, and no others?",
  "The group is complete and right": "The faces of a person are all there, and no others",
  "These two groups are one": "These two are one person",
  "Two groups are one": "Two are one person",
  "One group": "Merge",
  "One group with": "One person with",
  "Which groups are one?": "Which are one person?",
  "Make a group": "New person",
  "Made a group of {}": "Made a new person of {}",
  "the group": "the person",
  "a group": "a new person",
  "a choice of a group": "a choice of a person",
  "in a named group": "of somebody named",
  "in no named group": "of nobody named",
  "left out as bad": "left out as no face",
  "Another group has": "Somebody else has",
  "another group has": "somebody else has",
  "Take back that picture {} is odd in group {}": "Take back that face {} is not of person {}",
  "Copies of one picture, or pictures of one moment that look alike. Only one of them is asked about, and the others go where it goes. That is a guess: what is taken out is shown and asked about by itself.":
    "The same face in copies of one photograph. Only one of them is asked about, and the others go where it goes. What is taken out is shown and asked about by itself.",
  "Pictures that look like copies of one another are shown as one stack, and nobody is asked about them. Switch it off for drawings, and for things on plain ground that differ only a little.":
    "The same face in copies of one photograph is shown once, as a stack, and nobody is asked about it.",
  "by choosing a group": "by choosing a person",
  "by making a group": "by making a new person",
  "by confirming a cluster": "by confirming a person",
  "by merging clusters": "by merging people",
  "by splitting a cluster": "by splitting off faces",
  "Not in a cluster": "Nobody's",
  "as many as clusters": "as many as people",
  "All clusters": "All people",
  "All of this group is settled": "All faces of this person are settled",
  "Every group is checked": "Everybody is checked",
  "No picture of any group is left to look at.": "No face of anybody is left to look at.",
  "This cluster is gone": "This person is gone",
  "Its pictures are in other clusters now.": "The faces are with other people now.",
  ": its pictures are in other clusters now.": ": the faces are with other people now.",
  "Check the next group": "Check the next person",
  "Is this group right?": "Is this one person?",
  "Every group is confirmed": "Everybody is confirmed",
  "Name and confirm the groups": "Name and confirm the people",
  "One picture is too few": "No photographs here",
  "No pictures here": "No photographs here",
  "is one picture": "is one photograph",
  "are no pictures": "are no photographs",
  " that could be read. Pictures that you put there are found within a minute; ":
    " that could be read. Photographs that you put there are found within a minute; ",
  "Reading pictures: ": "Looking for faces in photographs: ",
  "Looking at your pictures": "Looking for faces in your photographs",
  "{}The first question comes as soon as a few of them are read.":
    "{}The first question comes as soon as some faces are found.",
  "{} pictures found. ": "{} photographs found. ",
  "There are no clusters yet. They appear when the first pictures are read.":
    "There is nobody yet. People appear when the first faces are found.",
  "No cluster has such a name, and no picture that is wanted.": "Nobody has such a name, or a face that is wanted.",
  "How good the clusters seem": "How well people are told apart, it seems",
  "with the clusters as they were": "with the people as they were",
  "Your pictures are never changed or moved.": "Your photographs are never changed or moved.",
  "with the pictures themselves": "with the photographs themselves",
  "A folder for each cluster, on the machine that likewise runs on":
    "A folder for each person, on the machine that likewise runs on",
  "What the pictures show": "What the faces show",
  "No picture is like that.": "No face is like that.",
  "This browser cannot read {} as a picture": "This browser cannot read {} as a picture",
  "Two pictures: same or different?": "Two faces: the same person?",
  "Three pictures: which two belong together?": "Three faces: which two are the same person?",
  "By other pictures of the same two groups. What more answers speak against than for is set aside, and listed under Conflicts.":
    "By other faces of the same two people. What more answers speak against than for is set aside, and listed under Conflicts.",
  "Pairs drawn at random; they show how good the clusters are, under Progress.":
    "Pairs drawn at random; they show how well people are told apart, under Progress.",
  "Who makes the clusters": "How faces are put together",
  "Open a cluster, select pictures and press ": "Open a person, select faces and press ",
  "known: from confirmed clusters, from what you decided, and from what you import.":
    "known: from confirmed people, from what you decided, and from what you import.",
};

const NOUN = /\b(?:pictures?|clusters?|groups?)\b/gi;

function inOtherWords(text: string): string {
  return text.replace(NOUN, (noun) => {
    const word = NOUNS[noun.toLowerCase()] ?? noun;
    return noun[0] === noun[0]?.toUpperCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;
  });
}

/** A text as it is said of faces; {} stands for what is filled in. */
export const saidOfFaces = (text: string): string => SENTENCES[text] ?? inOtherWords(text);

/**
 * A text about what is asked about: as it is, or, in a project of faces, as it is said of those. Used before a template
 * it leaves alone what is filled in, which people or files may have named.
 */
export function worded(text: string | TemplateStringsArray, ...filled: unknown[]): string {
  const parts = typeof text === "string" ? [text] : text;
  const said = ofFaces.value ? saidOfFaces(parts.join("{}")).split("{}") : parts;
  return said.map((part, k) => (k ? String(filled[k - 1]) + part : part)).join("");
}
