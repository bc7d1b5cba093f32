"""Texts of `saegim tune`, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="테넌트의 검색 순위 가중치를 맞춥니다. 적어 둔 질문이나 단락에서 만든 질문으로, "
    "다섯 묶음으로 나누어 전과 후를 보여 줍니다.",
    en="Fit a tenant's ranking weights. By labelled questions or ones made from its passages, in "
    "five folds, shown before and after.",
)
HELP_LABELLED = Text(
    ko="질문과 그 답이 있는 문서 id나 단락 id의 CSV. 없으면 단락에서 질문을 만듭니다.",
    en="A CSV of questions and the id of the document or passage that answers each. Without it, "
    "questions are made from the passages.",
)
HELP_COUNT = Text(ko="만들 질문의 수.", en="How many questions to make.")
HELP_SEED = Text(
    ko="같은 값이면 같은 질문을 만듭니다.", en="The same seed makes the same questions."
)
HELP_APPLY = Text(
    ko="맞춘 가중치를 씁니다. 맞추는 데 쓰지 않은 묶음에서 나빠지면 쓰지 않습니다.",
    en="Use the fitted weights, unless the folds that were left out get worse.",
)
MEASURE = Text(ko="측정", en="measure")
BEFORE = Text(ko="전", en="before")
AFTER = Text(ko="후", en="after")
QUESTIONS = Text(ko="질문 {count}개, {source}.", en="{count} questions, {source}.")
LABELLED = Text(ko="적어 둔 것", en="labelled")
MADE = Text(ko="단락에서 만든 것", en="made from the passages")
GAIN = Text(
    ko="nDCG@10 차이 {mean} (95% 구간 {low} … {high}), 맞추는 데 쓰지 않은 묶음에서.",
    en="nDCG@10 {mean} (95 % interval {low} … {high}), on the folds that were left out.",
)
WEIGHTS = Text(ko="가중치: {weights}", en="Weights: {weights}")
UNKNOWN = Text(
    ko="없는 id {count}개는 뺐습니다: {some}", en="{count} ids that are not there left out: {some}"
)
APPLIED = Text(ko="이제 이 가중치를 씁니다.", en="These weights are in use now.")
NOT_APPLIED = Text(
    ko="가중치를 바꾸지 않았습니다. 더 나은 것이 없거나, 다른 묶음에서 나빠집니다.",
    en="The weights stay: there are no better ones, or other folds would get worse.",
)
NOT_ASKED = Text(ko="쓰려면 --apply를 붙이세요.", en="To use them, add --apply.")
NO_QUESTIONS = Text(
    ko="질문이 너무 적습니다. 묶음마다 하나는 있어야 합니다.",
    en="There are too few questions: each fold needs one.",
)
BAD_FILE = Text(
    ko="CSV를 읽을 수 없습니다: {path}. query와 document_id 또는 passage_id 열이 있어야 합니다.",
    en="The CSV cannot be read: {path}. It needs a column query, and document_id or passage_id.",
)
