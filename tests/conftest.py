"""What all tests share: a first call compiles, so hypothesis must not mind the time a case takes."""

from hypothesis import settings

settings.register_profile("likewise", deadline=None)
settings.load_profile("likewise")
