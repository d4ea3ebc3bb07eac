"""The app: a JSON API, pictures by id and the built page, over one project."""
