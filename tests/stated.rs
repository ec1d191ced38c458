//! What a page says of itself, where that is hard to read: titles, dates, encodings; the sentences of all scripts, threads of forums,
//! lists that say nothing.

use crate::workdir::{Run, Workdir};
use serde_json::{Value, json};

/// The records of a scrape without a dump.
fn run(dir: &Workdir) -> Run {
    dir.sh("wp-index -q --no-dump --scrape scrape | wp-parse | wp-translations --stats stats").expect(0)
}

fn write(dir: &Workdir, place: &str, page: impl AsRef<[u8]>) {
    dir.write(&format!("scrape/{place}index.html"), page);
}

/// The record of a page alone.
fn record(page: impl AsRef<[u8]>) -> Value {
    let dir = Workdir::new();
    write(&dir, "a.example/x/", page);
    run(&dir).records().remove(0)
}

fn titles(dir: &Workdir) -> Vec<String> {
    let records = run(dir).records();
    records.iter().map(|record| record["title"]["text"].as_str().unwrap_or("-").to_owned()).collect()
}

const TEXT: &str = "<div class=entry-content><p>Text of the harbour, and the ships in it.</p></div>";

#[test]
fn sentences_of_all_scripts_are_prose() {
    // Armenian, Hebrew and Greek as they are written today, and with their own marks
    for (script, sentences) in [
        (
            "Deva",
            [
                "सुबह हम नदी के किनारे गए और वहाँ मछुआरों से बहुत देर तक बात की।",
                "उन्होंने हमें अपनी पुरानी नावें और नए जाल दिखाए जो सबने मिलकर बनाए थे।",
            ],
        ),
        (
            "Beng",
            [
                "সকালে আমরা নদীর ধারে গিয়েছিলাম এবং জেলেদের সঙ্গে অনেকক্ষণ কথা বলেছিলাম।",
                "তারা আমাদের পুরানো নৌকা আর নতুন জাল দেখিয়েছিল যা সবাই মিলে বানিয়েছে।",
            ],
        ),
        (
            "Arab",
            [
                "ذهبنا في الصباح إلى ضفة النهر وتحدثنا طويلا مع الصيادين الذين كانوا هناك؟",
                "أرونا قواربهم القديمة والشباك الجديدة التي صنعوها معا في الشتاء الماضي؛",
            ],
        ),
        (
            "Urdu",
            [
                "صبح ہم دریا کے کنارے گئے اور وہاں مچھیروں سے بہت دیر تک باتیں کرتے رہے۔",
                "انہوں نے ہمیں اپنی پرانی کشتیاں اور نئے جال دکھائے جو سب نے مل کر بنائے تھے۔",
            ],
        ),
        ("Thai", ["ตอนเช้าเราไปที่ริมแม่น้ำและคุยกับชาวประมงอยู่นานมาก", "พวกเขาให้เราดูเรือเก่าและอวนใหม่ที่ทุกคนช่วยกันทำเมื่อฤดูหนาวที่แล้ว"]),
        ("Khmr", ["នៅពេលព្រឹកយើងបានទៅមាត់ទន្លេហើយបាននិយាយជាមួយអ្នកនេសាទយូរណាស់", "ពួកគេបានបង្ហាញទូកចាស់និងសំណាញ់ថ្មីដែលពួកគេបានធ្វើជាមួយគ្នា។"]),
        (
            "Mymr",
            ["မနက်မှာ ငါတို့ မြစ်ကမ်းကို သွားပြီး ငါးဖမ်းသမားတွေနဲ့ အကြာကြီး စကားပြောခဲ့တယ်။", "သူတို့က လှေအဟောင်းတွေနဲ့ ပိုက်အသစ်တွေကို ငါတို့ကို ပြခဲ့တယ်။"],
        ),
        (
            "Ethi",
            [
                "ጠዋት ወደ ወንዙ ዳር ሄደን እዚያ ካሉት ዓሣ አጥማጆች ጋር ለረጅም ጊዜ ተነጋገርን።",
                "አሮጌ ጀልባዎቻቸውን እና አብረው የሠሩትን አዲስ መረቦች አሳዩን፣ እኛም ደስ አለን።",
            ],
        ),
        (
            "Jpan",
            [
                "朝、私たちは川岸へ行き漁師たちと長いあいだ話をしたのです．",
                "彼らは古い船と冬のあいだに皆で作った新しい網を見せてくれた！",
            ],
        ),
        (
            "Hans",
            [
                "早上我们去了河边和那里的渔民聊了很久很久直到中午才离开．",
                "他们给我们看了旧船和去年冬天大家一起做的新渔网；",
            ],
        ),
        (
            "Hebr",
            [
                "בבוקר הלכנו אל גדת הנהר ודיברנו שם זמן רב עם הדייגים׃",
                "הם הראו לנו את הסירות הישנות ואת הרשתות החדשות שעשו יחד בחורף׃",
            ],
        ),
        (
            "Grek",
            [
                "Το πρωί πήγαμε στην όχθη του ποταμού και μιλήσαμε πολλή ώρα με τους ψαράδες\u{387}",
                "Μας έδειξαν τις παλιές βάρκες και τα καινούρια δίχτυα που έφτιαξαν μαζί\u{37e}",
            ],
        ),
        (
            "Armn",
            [
                "Առավոտյան մենք գնացինք գետի ափը և երկար խոսեցինք ձկնորսների հետ։",
                "Նրանք մեզ ցույց տվեցին իրենց հին նավակները և նոր ցանցերը։",
            ],
        ),
    ] {
        let text = sentences.map(|sentence| format!("<p>{sentence}</p>")).concat();
        let record = record(format!(
            "<body><div class=q1><a href=/>Home</a></div><div class=q2>{text}</div><div class=q3><p>All the words on these pages
             belong to those who wrote them, as they should.</p></div></body>"
        ));
        let text = record["content"]["text"].as_str().unwrap_or("-");
        assert!(text.starts_with(&sentences.join("\n")), "{script}: {text}");
    }
}
