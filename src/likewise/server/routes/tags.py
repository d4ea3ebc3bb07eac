"""Routes of the tags: who has which, the tree learned from them, and what to add."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from likewise.app.studies import OutOfTurnError
from likewise.app.tags import (
    FEWEST_IMAGES,
    FEWEST_TAGS,
    count_tags,
    is_enough,
    learn_tree,
    open_suggestions,
    tags_hash,
    words_of,
)
from likewise.server.routes.browse import background_of
from likewise.server.routes.questions import live_of
from likewise.server.schemas.fields import Stored
from likewise.server.schemas.tags import (
    LearningView,
    PictureTagsView,
    SuggestionListView,
    SuggestionView,
    TagCountView,
    TagForm,
    TagsView,
    TagTreeView,
    TagVotesView,
)

router = APIRouter(prefix="/tags")


@router.get("")
def get_tags(request: Request) -> TagsView:
    """All tags with how often they are there, and the tree that was learned last; `stale` when tags changed since."""
    live, background = live_of(request), background_of(request)
    words = words_of(live.log())
    counts = count_tags(words)
    kept = background.last("tree")
    tree = None if kept is None or kept.result is None else kept.result
    return TagsView(
        tags=[TagCountView(name=name, count=n) for name, n in counts.items()],
        tagged=sum("yes" in values.values() for values in words.values()),
        can_learn=is_enough(words),
        working=background.works("tree"),
        stale=tree is None or kept is None or kept.key != tags_hash(words),
        problem="" if kept is None else kept.problem,
        tree=None if tree is None else TagTreeView(**tree["document"]),
        svg=None if tree is None else tree["svg"],
        suggested=len(open_suggestions(tree, words)),
    )


@router.post("")
def post_tag(form: TagForm, request: Request) -> Stored:
    """Store that a tag is right, wrong or open again for some pictures."""
    live = live_of(request)
    payload = {"items": list(dict.fromkeys(form.items)), "name": form.name, "value": form.value}
    return Stored(seq=live.append("tag", payload, annotator=form.annotator, key=form.key).seq)


@router.get("/pictures")
def get_pictures(
    request: Request, items: Annotated[list[int], Query(min_length=1, max_length=2000)]
) -> PictureTagsView:
    """The tags of some pictures: how many of them have each, and for how many it was rejected."""
    words = words_of(live_of(request).log())
    tagged = [words.get(image, {}) for image in items]
    names = sorted({name for each in tagged for name in each}, key=str.casefold)
    values = {name: [each.get(name) for each in tagged] for name in names}
    tags = [TagVotesView(name=t, yes=values[t].count("yes"), no=values[t].count("no")) for t in names]
    return PictureTagsView(n=len(items), tags=tags)


@router.post("/learn")
def post_learn(request: Request) -> LearningView:
    """Learn the tree from the tags of now, in the background."""
    live, background = live_of(request), background_of(request)
    words = words_of(live.log())
    if not is_enough(words):
        raise OutOfTurnError(f"tag at least {FEWEST_IMAGES} pictures with at least {FEWEST_TAGS} tags first")
    left_out = set(live.log().bad())
    images = [image for image in live.wall.cluster_of if image not in left_out]
    background.ask("tree", tags_hash(words), learn_tree, live.location, words, images)
    return LearningView(working=background.works("tree"))


@router.get("/suggestions")
def get_suggestions(
    request: Request,
    tag: str | None = None,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 60,
) -> SuggestionListView:
    """Tags that are probably missing, the surest first, without those that were accepted or rejected since."""
    kept = background_of(request).last("tree")
    words = words_of(live_of(request).log())
    found = open_suggestions(None if kept is None else kept.result, words)
    found = [each for each in found if tag is None or each["tag"] == tag]
    listed = [SuggestionView(**each) for each in found[offset : offset + limit]]
    return SuggestionListView(total=len(found), suggestions=listed)
