package import SegueComparison

/// The command that replays one case of a suite.
package struct ReplayCommand {
    private let files: [String: String]
    private let titles: [String: String]
    private let sources: DataPaths
    private let options: [String]

    /// `options` are options of the suite that also apply to a single case.
    package init(_ suite: Suite, options: [String] = []) {
        files = Dictionary(suite.files.map { ($0.name, String(decoding: $0.path, as: UTF8.self)) }) { first, _ in first
        }
        titles = Dictionary(suite.titles.map { ($0.name, $0.secrets.removed(from: $0.url)) }) { first, _ in first }
        sources = suite.sources
        self.options = options
    }

    /// The command; nil for a case that is neither a file nor a title of the suite.
    ///
    /// A title is played from its URL, because a title list runs as a whole. Headers of the list and secrets of the URL
    /// are not included.
    package func words(of name: CaseName) -> String? {
        var words: [String]
        let player = sources.players[name.platform]
        if let path = files[name.file] {
            words = ["segue", "regress", path] + options
        } else if let address = titles[name.file] {
            words = player == nil ? ["segue", "play", address, "--virtual"] : ["segue", "regress", address]
        } else {
            return nil
        }
        words += [
            "--scenario", word(name.scenario, sources.scenarios), "--network", word(name.network, sources.networks),
        ]
        if let player {
            words += ["--player", "\(name.platform.dropFirst(Matrix.realPrefix.count))=\(player)"]
        } else {
            words += ["--platform", word(name.platform, sources.platforms), "--app", word(name.app, sources.apps)]
        }
        if let device = name.device, words.starts(with: ["segue", "regress"]) {
            words += ["--device", word(device, sources.devices)]
        }
        if name.seed != 1 { words += ["--seed", "\(name.seed)"] }
        return words.map(Self.quoted).joined(separator: " ")
    }

    /// A name of the data folder, otherwise the path.
    private func word(_ name: String, _ paths: [String: String]) -> String {
        guard let path = paths[name], !path.hasPrefix(sources.harness) else { return name }
        return path
    }

    /// A word quoted for a shell.
    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    || "_-./:=@%+,".unicodeScalars.contains(scalar)
            }
        return isPlain
            ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
