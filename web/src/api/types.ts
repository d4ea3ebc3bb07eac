// Shapes of what the server sends and takes, by the names of the page; all of them come from the server's description.
import type { ANSWERS, components } from "./schema";

type Schemas = components["schemas"];

/** A kind of question, and an answer to one. */
export type Kind = keyof typeof ANSWERS;
export type Value = (typeof ANSWERS)[Kind][number];

export type Me = Schemas["MeView"];
export type Project = Schemas["ProjectView"];
export type Indexing = Schemas["IndexingView"];
export type Settings = Schemas["SettingsView"];
export type Asker = Schemas["AskerView"];
export type Progress = Schemas["ProgressView"];

export type Question = Schemas["ShownQuestion"];
export type Item = Schemas["ShownPicture"];
export type Next = Schemas["NextView"];
export type AnswerForm = Omit<Schemas["AnswerForm"], "key" | "annotator">;
/** What was stored, and what comes next: of an answer with the conflict it makes, of an undo with what was undone. */
export type Answered = Schemas["StoredWithNext"] &
  Partial<Pick<Schemas["AnswerResult"], "conflict">> &
  Partial<Pick<Schemas["UndoResult"], "undone">>;

export type Statement = Schemas["StatementView"];
export type Conflict = Schemas["ConflictView"];

export type Cluster = Schemas["ClusterView"];
export type ClusterPage = Schemas["ClusterPageView"];
export type Member = Schemas["MemberView"];
export type Wall = Schemas["ClusterListView"];
export type Grid = Schemas["GridView"];
/** A change of clusters that was tried, or made. */
export type Change = Partial<Schemas["ChangePreview"] & Schemas["ChangeResult"]>;
/** A cluster that was named, with the others that have the name; and a name that is in use. */
export type Named = Schemas["NamedView"];
export type KnownName = Schemas["NameView"];
export type Step = Schemas["StepView"];
export type Steps = Schemas["StepsView"];
export type MapData = Schemas["MapView"];

/** Where a face is in its photograph. */
export type Face = Schemas["FaceView"];

export type Browse = Schemas["BrowseView"];
export type BrowseRow = Schemas["BrowseRow"];

export type Filter = Required<Schemas["FilterForm"]>;
export type Facts = Schemas["FactsView"];
export type Choices = Schemas["ChoicesView"];
export type Found = Schemas["FoundView"];
export type FoundPicture = Schemas["FoundPicture"];
export type Focus = Omit<Schemas["FocusView"], "wanted"> & { wanted: Filter };

export type Tags = Schemas["TagsView"];
export type TagValue = NonNullable<Schemas["TagForm"]["value"]>;
export type PictureTags = Schemas["PictureTagsView"];
export type Suggestion = Schemas["SuggestionView"];
export type Suggestions = Schemas["SuggestionListView"];

export type Team = Schemas["TeamView"];
export type NotCounted = Schemas["NotCountedView"];
export type TeamMember = Schemas["TeamMemberView"];
export type Interval = NonNullable<TeamMember["accuracy"]>;
export type Invite = Schemas["InviteView"];
export type Dispute = Schemas["DisputeView"];
export type Disputes = Schemas["DisputeListView"];
export type GoldPair = Schemas["GoldForm"]["pairs"][number];

/** A format that the project can be written in. */
export type Format = Schemas["FormatView"];
export type Skipped = Schemas["SkippedView"];

export type StudyState = Schemas["StudyView"];
export type StudyQuestion = Schemas["StudyQuestionView"];
export type StudyKind = StudyQuestion["kind"];
export type StudyValue = (typeof ANSWERS)[StudyKind][number];

export type Hit = Schemas["HitView"];
/** How far somebody is with crowd work; what else is known depends on what was asked for. */
export type Work = Schemas["CrowdView"] &
  Partial<Pick<Schemas["NextHitView"], "finished">> &
  Partial<Pick<Schemas["ReopenedHitView"], "before">>;

export type Stored = Schemas["Stored"];
export type StoredWithRest = Schemas["StoredWithRest"];
export type GoldResult = Schemas["GoldResult"];
export type FoldersResult = Schemas["FoldersResult"];
export type Learning = Schemas["LearningView"];
export type Person = Schemas["PersonView"];
