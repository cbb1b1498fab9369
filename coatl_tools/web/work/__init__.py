"""Work that takes long or may go wrong, in processes apart from the server.

`worker_process` runs jobs in a process; `photo_jobs` and `print_jobs` are the jobs, `photo_task`
what loads OpenCV within the process. `uploads` reads photos from forms, and `jobs` stores who asked
for which job, its progress and its result. Nothing touches the disk.
"""
