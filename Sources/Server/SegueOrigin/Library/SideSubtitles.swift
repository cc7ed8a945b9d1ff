internal import Foundation
internal import SegueConcurrency
import SeguePackager

/// A subtitle file next to a film that has its name: `film.srt`, `film.en.vtt`, `film.de.forced.ass`.
struct SideSubtitles: Sendable, Equatable {
    private static let extensions: Set<String> = ["srt", "vtt", "ass", "ssa"]
    /// The maximum number of subtitle files of a film.
    private static let most = 64

    /// The current file.
    let identity: FileIdentity
    /// The traits in its name.
    let traits: MemberTraits

    /// The version of the file.
    var tag: String { identity.tag }

    /// Parses the words between the film's name and the extension: a language, marks, and free words, in any order.
    static func traits(ofWords words: [String]) -> MemberTraits {
        var traits = MemberTraits()
        var free: [String] = []
        for word in words {
            switch word.lowercased() {
            case "": continue
            case "forced": traits.isForced = true
            case "sdh", "cc": traits.describesMusicAndSound = true
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

    /// The words between a film's name and the extension of a subtitle file, or nil if the file is not one of the film.
    static func words(_ name: String, stem: String) -> [String]? {
        guard name.hasPrefix(stem + "."), let dot = name.lastIndex(of: "."),
            extensions.contains(name[name.index(after: dot)...].lowercased())
        else { return nil }
        return name[..<dot].dropFirst(stem.count).split(separator: ".").map(String.init)
    }

    /// The number of bytes at the start of a file that contain a cue if there is one.
    private static let head = 256 << 10

    /// True if a subtitle file has a cue: a player would list one without any, and show nothing.
    private static func hasCues(_ path: String) -> Bool {
        guard let file = ReadableFile.handle(path), let head = try? file.read(upToCount: head) else {
            return false
        }
        // UTF-16 has a zero in each letter.
        let text = head.filter { $0 != 0 }
        return ["-->", "Dialogue:"].contains { text.firstRange(of: Data($0.utf8)) != nil }
    }

    /// The subtitle files next to an item that have cues, by name.
    static func beside(_ item: LibraryItem, in library: Library) -> [SideSubtitles] {
        var found: [SideSubtitles] = []
        for (name, path) in library.neighbours(of: item).sorted(by: { $0.name < $1.name }).prefix(most) {
            guard let words = words(name, stem: item.name), let identity = try? FileIdentity(ofFileAt: path),
                hasCues(path)
            else { continue }
            found.append(SideSubtitles(identity: identity, traits: traits(ofWords: words)))
        }
        return found
    }
}
