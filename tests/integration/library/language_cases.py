"""Queries in several languages, with the right passage and many wrong ones."""

import unicodedata
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Case:
    """A question finds its text among the first three."""

    id: str
    question: str
    text: str


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


KOREAN = (
    Case("ko-noun", "서울", "서울은 대한민국의 수도이며 천만 명에 가까운 사람이 산다."),
    Case("ko-noun-to", "부산", "이번 여름에는 부산으로 이사하는 직원이 많다."),
    Case("ko-verb", "이끌었다", "그 주장은 국가대표팀을 이끈다."),
    Case("ko-verb-back", "회의를 진행한다", "어제 팀장이 분기 회의를 진행하였다."),
    Case("ko-verb-polite", "환급받았어요", "연말 정산 뒤에 세금을 환급받는 절차를 적었다."),
    Case("ko-two-syllables", "결제", "결제가 실패하면 카드사에 먼저 확인하세요."),
    Case("ko-compound", "발전소", "동해안의 원자력발전소는 올해 정비에 들어간다."),
    Case("ko-compound-head", "예금", "정기예금상품의 만기를 한 해 늘릴 수 있다."),
    Case("ko-mixed", "EC2 비용", "약정을 맺으면 EC2의 비용이 크게 줄어든다."),
    Case("ko-mixed-glued", "API키", "API 키는 콘솔에서 새로 만들 수 있다."),
    Case("ko-article", "제29조의2", "제29조의2(안전조치의무) 개인정보는 암호화하여 보관한다."),
    Case("ko-code", "myservice 29392", "myservice 29392 문서는 배포가 멈출 때의 조치를 다룬다."),
    Case("ko-nfd-question", decomposed("반품 규정"), "반품 규정은 수령 후 이레까지 적용된다."),
    Case("ko-nfd-text", "휴가 신청서", decomposed("휴가 신청서는 총무팀에 사흘 전까지 낸다.")),
    Case("ko-unspaced", "데이터베이스백업", "데이터베이스 백업은 매일 새벽에 돌아간다."),
    Case("ko-spaced", "비밀 번호 초기화", "비밀번호초기화 메일은 한 시간 동안 유효하다."),
)

JAPANESE = (
    Case("ja-noun", "東京", "東京は日本の首都で、人口が最も多い。"),
    Case("ja-verb", "食べた", "朝に果物を食べると体が温まる。"),
    Case("ja-two-characters", "決済", "決済に失敗したときはカード会社に連絡する。"),
    Case("ja-compound", "銀行", "中央銀行総裁は来月に交代する。"),
    Case("ja-katakana", "サーバー", "夜間にサーバーを再起動する手順をまとめた。"),
    Case("ja-mixed", "EC2 料金", "長期契約ならEC2の料金が下がる。"),
    Case("ja-article", "第29条の2", "第29条の2 個人情報は暗号化して保管する。"),
    Case("ja-half-width", "ﾃﾞｰﾀﾍﾞｰｽ", "データベースの複製は毎晩作られる。"),
    Case(
        "ja-full-width",
        "ｍｙｓｅｒｖｉｃｅ ２９３９３",
        "myservice 29393 は配布が止まったときの対処を述べる。",
    ),
    Case("ja-nfd", decomposed("パスワード"), "パスワードを忘れたら再設定の手紙を送る。"),
)

CHINESE = (
    Case("zh-noun", "北京", "北京是中国的首都，也是文化中心。"),
    Case("zh-two-characters", "支付", "支付失败时请先联系发卡行。"),
    Case("zh-inside", "智能", "人工智能技术正在改变医疗。"),
    Case("zh-question", "如何重置密码", "在登录页可以重置密码，链接一小时内有效。"),
    Case("zh-mixed", "EC2 费用", "签订长期合同后EC2的费用会下降。"),
    Case("zh-article", "第二十九条之二", "第二十九条之二 个人信息应当加密保存。"),
    Case("zh-code", "myservice 29394", "myservice 29394 说明发布停止时的处理办法。"),
    Case("zh-full-width", "ＡＰＩ密钥", "API密钥可以在控制台重新生成。"),
    Case("zh-spaced", "退款 政策", "本店的退款政策自收货起七日内有效。"),
    Case("zh-traditional", "臺北", "臺北的捷運在週末延長營運時間。"),
)

# Near misses on purpose: 결재 is not 결제, article 28 not 29의2, and EC2 and cost stand apart.
_PARTS = {
    "ko": (
        ("관리팀은", "신입 직원이", "고객이", "연구소에서", "창고 담당자는", "협력사는"),
        ("겨울 행사를", "전자 결재를", "제28조를", "제29조 제1항을", "myservice 29391을",
         "보고서를", "EC2 인스턴스를", "장비 점검표를", "인쇄비를", "설비 도면을", "주간 일정을"),
        ("다시 확인했다.", "정리하고 있다.", "다음 달로 미뤘다.", "승인하지 않았다.",
         "나누어 보관한다.", "본사에 알렸다."),
    ),
    "ja": (
        ("担当者は", "新しい社員が", "倉庫では", "研究所の職員は", "取引先は"),
        ("決裁の書類を", "第28条を", "月間の予定を", "設備の図面を", "EC2の構成を", "印刷の費用を",
         "京都の案内を", "点検の記録を"),
        ("もう一度確認した。", "整理している。", "来月に延ばした。", "本社に知らせた。"),
    ),
    "zh": (
        ("管理部门", "新来的职员", "仓库负责人", "研究所", "合作公司"),
        ("把付款单据", "把第二十八条", "把月度计划", "把设备图纸", "把EC2配置", "把印刷成本",
         "把南京的资料", "把检查记录"),
        ("重新核对了。", "正在整理。", "推迟到下个月。", "没有批准。", "报告给了总部。"),
    ),
    "en": (
        ("The office", "A new colleague", "The warehouse", "A partner", "The audit team"),
        ("checked the invoice", "sorted article 28", "moved the API notes", "drew the machine plan",
         "counted myservice 29390", "wrote the weekly report"),
        ("again.", "last month.", "for the head office.", "without approval.", "in two parts."),
    ),
}  # fmt: skip


def filler() -> list[str]:
    """Sentences of everyday work in four languages; none holds what a case asks for."""
    return [
        (" " if language in ("ko", "en") else "").join(parts)
        for language, lists in _PARTS.items()
        for parts in product(*lists)
    ]
