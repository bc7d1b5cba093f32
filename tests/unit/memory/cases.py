"""Forty pairs of consecutive statements, and their relation."""

from dataclasses import dataclass

from saegim.memory.rules.relations import Relation

NEW, SAME = Relation.NEW, Relation.DUPLICATE
FINER, INSTEAD, AGAINST = Relation.REFINES, Relation.SUPERSEDES, Relation.CONTRADICTS


@dataclass(frozen=True)
class Case:
    """A known statement, the next one, and their relation.

    `missed` is the wrong relation that the rules return.
    """

    known: str
    said: str
    relation: Relation
    missed: Relation | None = None


CASES = (
    # one value, replaced
    Case("나는 서울에 살아", "부산으로 이사했어", INSTEAD),
    Case("I live in Seoul.", "I moved to Busan.", INSTEAD),
    Case("모바일 프로젝트 예산은 1억이야", "모바일 프로젝트 예산을 1.5억으로 올렸어", INSTEAD),
    Case("My budget is $5,000.", "The budget went up to $8,000.", INSTEAD),
    Case("나는 네이버에 다녀", "카카오로 이직했어", INSTEAD),
    Case("I work at Samsung.", "I now work at Google.", INSTEAD),
    Case("마감은 12월 3일이야", "마감이 12월 10일로 바뀌었어", INSTEAD),
    Case("The deadline is December 3.", "The deadline moved to December 10.", INSTEAD),
    Case("나는 개발자야", "이제 디자이너로 일해", INSTEAD),
    Case("I'm a nurse.", "I became a teacher.", INSTEAD),
    Case("몸무게는 70kg이야", "몸무게가 65kg이야", INSTEAD),
    Case("I'm single.", "I got married.", INSTEAD),
    # a taste that turned, something that ended
    Case("커피를 좋아해", "이제 커피 싫어해", INSTEAD),
    Case("I love sushi.", "I hate sushi.", INSTEAD),
    Case("강아지 초코를 키워", "강아지 초코가 하늘나라로 갔어", INSTEAD),
    Case("I have a cat named Nabi.", "My cat Nabi died.", INSTEAD),
    Case("강아지 두 마리 키워", "강아지 세 마리 키워", INSTEAD),
    Case("창업하기로 했어", "창업은 안 하기로 했어", INSTEAD),
    # several values, which add up
    Case("강아지 초코를 키워", "고양이 나비도 키워", NEW),
    Case("I have a dog named Max.", "I have a cat named Nabi.", NEW),
    Case("땅콩 알레르기가 있어", "새우 알레르기도 있어", NEW),
    Case("I'm allergic to peanuts.", "I'm allergic to shrimp.", NEW),
    Case("영어를 할 줄 알아", "일본어도 할 줄 알아", NEW),
    Case("I speak English.", "I speak Japanese.", NEW),
    Case("딸 서연이가 있어", "아들 민준이가 태어났어", NEW),
    Case("My daughter Mia was born.", "My son Leo was born.", NEW),
    Case("커피를 좋아해", "녹차도 좋아해", NEW),
    Case("아내는 의사야", "나는 교사야", NEW),
    Case("My wife is a nurse.", "I'm a teacher.", NEW),
    # the same, or the same with more
    Case("나는 서울에 살아", "저는 서울에 살고 있어요", SAME),
    Case("I live in Seoul.", "I'm living in Seoul.", SAME),
    Case("나는 서울에 살아", "서울 마포구에 살아", FINER),
    Case("I'm allergic to nuts.", "I'm severely allergic to tree nuts.", FINER),
    Case("강아지를 키워", "강아지 초코를 키워", FINER),
    Case("I have a dog.", "I have a dog named Max.", FINER),
    Case("매운 음식은 못 먹어", "매운 건 절대 못 먹어", SAME, missed=NEW),
    # both cannot be right
    Case("내 생일은 5월 3일이야", "내 생일은 5월 5일이야", AGAINST),
    Case("My birthday is May 3.", "My birthday is May 5.", AGAINST),
    Case("혈액형은 A형이야", "혈액형은 O형이야", AGAINST),
    Case("I'm allergic to peanuts.", "I don't have any allergies.", AGAINST, missed=NEW),
)
