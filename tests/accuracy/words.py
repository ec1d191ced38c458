"""Texts of the corpus: generated words that mean nothing, in the scripts of twelve languages, the same at each run."""

import re

# tag: syllables, what joins two words, what ends a sentence, the sign within it.
LANGUAGES = {
    "en-US": ("the an to re con st ing er or al tion ma pro ver ly com in un der ate", " ", ".", ","),
    "de-DE": ("der ge be ver ung keit sch ein aus ü ö ä ß lich heit ten ern bau stadt", " ", ".", ","),
    "fr-FR": ("le la dé ré con tion ment é ée ant eur que ai ou ne pas très ê ça oi", " ", ".", ","),
    "pt-BR": ("o a ção dade mente com por ão ões ó lho nha ada ido que ser ter vel um", " ", ".", ","),
    "ru-RU": ("про при ста ние ость но на го во ска ть ли ми рос тел под раз ход дел", " ", ".", ","),
    "el-GR": ("το και να με σε ση μα τικ ός ία ών ου αν εν δια προ κα τα λό γος", " ", ".", ","),
    "ar": ("ال من في كت با سم عل دار بن مد حر شم قل نو رب فت صو جم", " ", ".", "،"),
    "he-IL": ("של את בית ספר יום לב מים עיר דר חו שמ אור נה תו קול רוח", " ", ".", ","),
    "hi-IN": ("का में से है पर नगर जल वन दिन रात घर पुस्तक लोक गीत नदी समय मन बात", " ", "।", ","),
    "ja": ("海 山 川 の は に 町 人 本 日 時 港 船 を が と も 灯 台 風", "", "。", "、"),
    "zh-CN": ("海 山 河 城 人 书 天 时 港 船 是 在 有 和 灯 塔 风 新 路 家", "", "。", "，"),
    "ko-KR": ("바다 산 강 도시 사람 책 날 시간 항구 배 는 에서 의 등대 바람 길", " ", ".", ","),
}

# Scripts that do without spaces are compared letter by letter.
WORD = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+")


def words_of(text):
    """The words by which two texts are compared."""
    return WORD.findall((text or "").casefold())


class Chance:
    """Numbers that look random and depend on the seed alone, in any version of Python."""

    def __init__(self, seed):
        self.state = 0
        for letter in seed.encode():
            self.state = (self.state * 257 + letter) % (1 << 64)

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % n


class Writer:
    """Writes texts in one language."""

    def __init__(self, language, seed):
        syllables, self.space, self.stop, self.comma = LANGUAGES[language]
        self.syllables, self.language, self.chance = syllables.split(), language, Chance(f"{language} {seed}")

    def word(self):
        count = 2 + self.chance.below(2)
        return "".join(self.syllables[self.chance.below(len(self.syllables))] for _ in range(count))

    def words(self, count):
        return self.space.join(self.word() for _ in range(count))

    def title(self):
        return self.words(4).capitalize()

    def sentence(self):
        count = 8 + self.chance.below(8)
        return self.words(count).capitalize() + self.comma + (self.space or "") + self.words(5) + self.stop

    def paragraph(self, sentences=4):
        return (self.space or "").join(self.sentence() for _ in range(sentences))


def slug(text):
    """A title in a URL, without accents: what WordPress does to titles in Latin letters."""
    plain = text.lower().translate(str.maketrans("éêèçãõóüöä", "eeecaoouoa")).replace("ß", "ss")
    return re.sub("[^a-z]+", "-", plain).strip("-")
