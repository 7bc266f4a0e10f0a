"""The pages for workers: find HITs, work on them, and see what they earn. `app.Portal` has the routes."""
