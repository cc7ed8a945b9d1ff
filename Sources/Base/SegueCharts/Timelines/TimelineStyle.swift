/// The style of a timeline, with the color-blind-safe palette of Okabe and Ito.
enum TimelineStyle {
    private static let blue = "#0072b2"
    private static let orange = "#e69f00"
    private static let green = "#009e73"
    private static let vermilion = "#d55e00"

    /// The style sheet.
    ///
    /// Each rule is scoped to timelines, since pages contain other elements.
    static let sheet = [
        ".page{fill:#fff}", "text{font:12px \"DejaVu Sans\",Verdana,sans-serif;fill:#1f2a33}",
        ".title{font-weight:bold;font-size:15px}", ".quiet{fill:#55636e}", ".lane{font-weight:bold}",
        ".tick{fill:#55636e;font-size:11px}", ".end{text-anchor:end}", ".mid{text-anchor:middle}",
        ".grid{stroke:#e2e7eb;stroke-width:1}", ".frame{fill:none;stroke:#b8c4cc}", ".in{font-size:11px}",
        ".light{fill:#fff}", ".ph-foreground{fill:#dfe7ec}", ".ph-leaving,.ph-returning{fill:#9fb0bc}",
        ".ph-background{fill:#2b3a45}", ".ph-suspended{fill:#000}", ".ph-background-in,.ph-suspended-in{fill:#fff}",
        ".st-playing{fill:#bfe3d8}", ".st-waiting{fill:#f7dca0}", ".st-paused{fill:#d9dde0}",
        ".queued{fill:#eef2f4}", ".it-loading{fill:#f7dca0}", ".it-ready{fill:#cfe0ee}",
        ".it-failed{fill:\(vermilion)}",
        ".it-failed-in{fill:#fff}", ".c0{fill:\(blue)}", ".c1{fill:\(green)}", ".c2{fill:#7b4f9e}", ".c3{fill:#4a5560}",
        ".pale{fill-opacity:.55}", ".si-start{fill:#f1f3f5}", ".si-silence{fill:#fbe3d6}",
        ".si-start-stripes{stroke:#b8c4cc;stroke-width:2;stroke-opacity:.45;fill:none}",
        ".si-silence-stripes{stroke:\(vermilion);stroke-width:2;stroke-opacity:.45;fill:none}",
        ".si-silence-in{fill:#8f2f00;font-weight:bold}", ".area{fill:\(blue);fill-opacity:.22}",
        ".level{fill:none;stroke:\(blue);stroke-width:1.5}", ".keeps{fill:\(green)}",
        ".rate{fill:#56b4e9;fill-opacity:.75}",
        ".head{fill:none;stroke-width:2.5}", ".s0{stroke:\(blue)}", ".s1{stroke:\(green)}", ".s2{stroke:#7b4f9e}",
        ".s3{stroke:#4a5560}", ".jump{fill:none;stroke:#1f2a33;stroke-dasharray:2 3}", ".media{fill:\(blue)}",
        ".list{fill:\(orange)}", ".wait{fill-opacity:.35}", ".lost{fill:\(vermilion)}",
        ".given-up{fill:#fff;stroke:#55636e;stroke-dasharray:2 1}", ".cross{stroke:#1f2a33;stroke-width:1.5}",
        ".mark{stroke-width:1;stroke:#8c9aa5;stroke-dasharray:1 3;fill:none}",
        ".mark.main{stroke:#1f2a33;stroke-dasharray:4 2}",
        ".mark.bad{stroke:\(vermilion);stroke-width:1.8;stroke-dasharray:none}",
        ".dot{fill:#fff;stroke:#8c9aa5}", ".dot.main{fill:#1f2a33;stroke:#1f2a33}",
        ".dot.bad{fill:\(vermilion);stroke:\(vermilion)}", ".digit{font-size:10px}",
        ".digit.main,.digit.bad{fill:#fff}",
        "text.in.bad,text.in.main{font-weight:bold}", ".when{font-weight:bold}", "text.bad{fill:#a83f00}",
        "text.digit.bad{fill:#fff}",
    ].map(scoped).joined()

    /// A rule with each of its selectors scoped to timelines.
    private static func scoped(_ rule: String) -> String {
        let parts = rule.split(separator: "{", maxSplits: 1)
        let names = parts[0].split(separator: ",").map { ".story \($0)" }.joined(separator: ",")
        return "\(names){\(parts[1])"
    }
}
