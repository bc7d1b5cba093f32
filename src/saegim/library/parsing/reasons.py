"""Why a file was not read: the stable word of `Unreadable.detail`, and its text."""

from enum import StrEnum

from saegim.domain.scope import Locale


class Reason(StrEnum):
    EMPTY = "empty"
    MISSING = "missing"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    ENCRYPTED = "encrypted"
    CORRUPT = "corrupt"
    UNSAFE = "unsafe"
    UNSUPPORTED = "unsupported"
    LEGACY = "legacy"
    SCANNED = "scanned"
    PARSER_MISSING = "parser_missing"


TEXTS: dict[Reason, dict[Locale, str]] = {
    Reason.EMPTY: {
        "ko": "파일에 글이 없습니다.",
        "en": "There is no text in the file.",
    },
    Reason.MISSING: {
        "ko": "파일이 없거나 열 수 없습니다.",
        "en": "The file is not there, or cannot be opened.",
    },
    Reason.TOO_LARGE: {
        "ko": "파일이나 그 내용이 너무 큽니다. 나누어서 올려 주세요.",
        "en": "The file or what is in it is too large. Please split it.",
    },
    Reason.TIMEOUT: {
        "ko": "읽는 데 시간이 너무 오래 걸려 멈추었습니다.",
        "en": "Reading it took too long and was stopped.",
    },
    Reason.MEMORY: {
        "ko": "읽는 데 메모리가 너무 많이 들어 멈추었습니다.",
        "en": "Reading it took too much memory and was stopped.",
    },
    Reason.ENCRYPTED: {
        "ko": "암호가 걸린 파일입니다. 암호를 풀고 다시 올려 주세요.",
        "en": "The file has a password. Please remove it and try again.",
    },
    Reason.CORRUPT: {
        "ko": "파일이 손상되었습니다.",
        "en": "The file is damaged.",
    },
    Reason.UNSAFE: {
        "ko": "안전하지 않은 내용(XML 엔티티, 압축 폭탄)이 있어 읽지 않았습니다.",
        "en": "The file holds something unsafe (XML entities, a zip bomb) and was not read.",
    },
    Reason.UNSUPPORTED: {
        "ko": "지원하지 않는 형식입니다.",
        "en": "This kind of file is not supported.",
    },
    Reason.LEGACY: {
        "ko": "오래된 형식(HWP, DOC, XLS, PPT)입니다. HWPX, DOCX, PDF로 저장해 주세요.",
        "en": "An old format (HWP, DOC, XLS, PPT). Please save it as HWPX, DOCX or PDF.",
    },
    Reason.SCANNED: {
        "ko": "그림뿐인 PDF입니다. 글자 인식(OCR)을 거친 파일을 올려 주세요.",
        "en": "The PDF holds images only. Please run it through OCR first.",
    },
    Reason.PARSER_MISSING: {
        "ko": "이 형식의 파서가 설치되지 않았습니다. saegim[parsers]를 설치해 주세요.",
        "en": "The parser of this kind is not installed. Please install saegim[parsers].",
    },
}
