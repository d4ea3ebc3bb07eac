"""The addresses of the API: each file translates between HTTP and the app."""
