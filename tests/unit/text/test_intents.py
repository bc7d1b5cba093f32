from saegim.text.intents import Intent, digest, intent_model
from scripts.intent_weights import dump, train


def test_the_classifier_is_trained_on_the_examples() -> None:
    model = intent_model()
    assert model.examples == digest(), "run scripts/intent_weights.py"
    assert set(model.intents) < set(Intent)


def test_training_separates_vectors() -> None:
    examples = [
        *[(Intent.GREETING, [1.0, 0.1 * n, 0.0]) for n in range(5)],
        *[(Intent.THANKS, [0.1 * n, 1.0, 0.0]) for n in range(5)],
    ]
    model = train("test", examples)
    scores = model.scores([1.0, 0.0, 0.1])
    assert scores[Intent.GREETING] > scores[Intent.THANKS]
    assert len(dump(model)) < 5_000
