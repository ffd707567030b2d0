"""The studio's web application: who may call which route, sign-in, and the pages."""
