"""The rules again, slow and obvious, in plain Python: the independent judge of the fast engine.

Nothing here imports ``gammon``. One module a game; ``position_id`` reads the ids the test data is keyed by.
"""
