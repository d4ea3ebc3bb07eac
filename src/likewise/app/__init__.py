"""The running project, without HTTP: questions, answers, clusters, pictures, import and export."""
