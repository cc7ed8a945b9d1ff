import SeguePackager

/// A file of subtitles that lies beside a film and has its name: `film.srt`, `film.en.vtt`, `film.de.forced.ass`.
struct SideSubtitles: Sendable, Equatable {
    /// The kinds of files that are looked for.
    private static let extensions: Set<String> = ["srt", "vtt", "ass", "ssa"]
    /// More than so many are not looked at.
    private static let most = 64

    /// The file as it is now.
    let identity: FileIdentity
    /// What its name says of it.
    let traits: MemberTraits

    /// What changes when the file does.
    var tag: String { identity.tag }

    /// What stands between the film's name and the ending: a language, marks and free words, in any order.
    static func traits(ofWords words: [String]) -> MemberTraits {
        var traits = MemberTraits()
        var free: [String] = []
        for word in words {
            switch word.lowercased() {
            case "": continue
            case "forced": traits.isForced = true
            case "sdh", "cc": traits.describesSound = true
            case "commentary": traits.isCommentary = true
            case "default": continue
            default:
                if traits.language == nil, LanguageTag(word).isKnown {
                    traits.language = word
                } else {
                    free.append(word)
                }
            }
        }
        traits.title = free.isEmpty ? nil : free.joined(separator: " ")
        return traits
    }

    /// The words between a film's name without its ending and the ending of a file beside it; nil where the file is not
    /// of subtitles, or not named after the film.
    static func words(_ name: String, stem: String) -> [String]? {
        guard name.hasPrefix(stem + "."), let dot = name.lastIndex(of: "."),
            extensions.contains(name[name.index(after: dot)...].lowercased())
        else { return nil }
        return name[..<dot].dropFirst(stem.count).split(separator: ".").map(String.init)
    }

    /// Those beside an item, by name.
    static func beside(_ item: LibraryItem, in library: Library) -> [SideSubtitles] {
        var found: [SideSubtitles] = []
        for (name, path) in library.neighbours(of: item).sorted(by: { $0.name < $1.name }).prefix(most) {
            guard let words = words(name, stem: item.name), let identity = try? FileIdentity(ofFileAt: path) else {
                continue
            }
            found.append(SideSubtitles(identity: identity, traits: traits(ofWords: words)))
        }
        return found
    }
}
