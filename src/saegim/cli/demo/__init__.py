"""`saegim demo`: the documents of an invented product, to try Saegim without one's own.

`documents/` is licensed under CC BY 4.0; `examples/cost-analysis` describes it.
"""
