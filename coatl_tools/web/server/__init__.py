"""The server: the application and its routes (`app`), what all pages share (`app_state`),
visitors (`sessions`), checks of requests (`security`), open tables (`live_tables`), server-sent
events (`sse_response`), and the process that listens (`http_server`).
"""
