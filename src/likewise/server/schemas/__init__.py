"""What the API takes and gives: forms, views and results, one file a subject."""
