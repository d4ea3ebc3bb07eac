"""Photographs of drawn people, as the finder of the tests finds them."""

import numpy as np
from PIL import Image, ImageDraw

GROUND = (226, 232, 240)
SKINS = [(241, 205, 176), (198, 150, 112), (120, 80, 56), (250, 224, 200), (160, 110, 82), (224, 176, 140)]
HAIRS = [(40, 30, 26), (150, 96, 40), (200, 60, 40), (230, 200, 110), (90, 90, 96), (30, 60, 120)]


def draw_person(draw, person, box, rng):
    """A head in a box: its colours are the person's, the eyes and the mouth are where they are today."""
    left, top, right, bottom = box
    w, h = right - left, bottom - top
    skin, hair = SKINS[person % len(SKINS)], HAIRS[(person + person // len(SKINS)) % len(HAIRS)]
    draw.ellipse(box, fill=hair)
    draw.ellipse((left + 0.08 * w, top + 0.22 * h, right - 0.08 * w, bottom), fill=skin)
    look, smile = rng.uniform(-0.03, 0.03) * w, rng.uniform(0.02, 0.1) * h
    for share in (0.32, 0.68):
        x, y = left + share * w + look, top + 0.5 * h
        draw.ellipse((x - 0.06 * w, y - 0.05 * h, x + 0.06 * w, y + 0.05 * h), fill=(30, 30, 40))
    mouth = (left + 0.32 * w, top + 0.72 * h - smile, right - 0.32 * w, top + 0.74 * h + smile)
    draw.ellipse(mouth, fill=(150, 50, 60))


def draw_photograph(people, seed, size=(640, 420), sides=None):
    """People side by side on a plain ground."""
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", size, GROUND)
    draw = ImageDraw.Draw(image)
    step = size[0] / max(len(people), 1)
    for k, person in enumerate(people):
        side = rng.uniform(0.5, 0.7) * min(step, 200) if sides is None else sides[k]
        left = step * k + (step - side) / 2
        top = rng.uniform(0.1, 0.4) * size[1]
        draw_person(draw, person, (left, top, left + side, top + 1.2 * side), rng)
    return image


def draw_album(folder, n=12, n_people=4, seed=0):
    """So many photographs of two or three of the people; who is in each, from the left, by name."""
    rng = np.random.default_rng(seed)
    truth = {}
    for number in range(n):
        people = rng.permutation(n_people)[: rng.integers(2, 4)].tolist()
        name = f"party-{number:02}.png"
        draw_photograph(people, seed + number).save(folder / name)
        truth[name] = people
    return truth
