"""The server: application, shared state, sessions, security and live tables."""
