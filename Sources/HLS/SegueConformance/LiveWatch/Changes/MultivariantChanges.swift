/// What has changed from one version of a multivariant playlist to the next.
struct MultivariantChanges {
    private struct Key: Hashable {
        let kind: ListedPlaylist.Kind
        let name: String
    }

    private(set) var breaches: [Breach] = []
    /// The URLs that are listed no longer, as others are listed in their place.
    private(set) var moved: Set<String> = []

    /// How many playlists are named that break a rule with one load.
    private static let mostNamed = 3
    private var named: [String: Int] = [:]

    /// Compares two versions.
    init(from former: [ListedPlaylist], to next: [ListedPlaylist]) {
        let (old, new) = (Self.byURL(former), Self.byURL(next))
        for (key, one) in Self.inOrder(old) { new[key].map { sameURL(key.name, one, $0) } }
        names(former, next)
        let added = next.filter { old[Key(kind: $0.kind, name: $0.url)] == nil }
        for (key, one) in Self.inOrder(old) where new[key] == nil { successor(of: key.name, one, among: next, added) }
    }

    /// Whether none of the variants is under a URL that it was under, as with URLs that are made for each client.
    static func areOthers(_ former: [ListedPlaylist], _ next: [ListedPlaylist]) -> Bool {
        let variants = [former, next].map { Set($0.filter { $0.kind == .variant }.map(\.url)) }
        return !variants[0].isEmpty && !variants[1].isEmpty && variants[0].isDisjoint(with: variants[1])
    }

    /// Names that stand for different content in one version, as that of pathways.
    static func ambiguous(_ listed: [ListedPlaylist]) -> [Breach] {
        var first: [Key: (url: String, content: Set<String>)] = [:]
        var found: [Breach] = []
        for (key, entries) in inOrder(byURL(listed)) {
            for id in Set(entries.compactMap(\.stableID)).sorted() {
                let content = Set(entries.filter { $0.stableID == id }.map(\.content))
                let name = Key(kind: key.kind, name: id)
                guard let other = first[name] else {
                    first[name] = (key.name, content)
                    continue
                }
                guard other.content.isDisjoint(with: content), found.count < mostNamed else { continue }
                let text =
                    "\(id) is \(words(other.content)) under \(other.url), and \(words(content)) under \(key.name)"
                found.append(Breach(LiveRules.stableName, text))
            }
        }
        return found
    }

    private mutating func add(_ rule: Rule, _ message: String) {
        named[rule.id, default: 0] += 1
        if named[rule.id, default: 0] <= Self.mostNamed { breaches.append(Breach(rule, message)) }
    }

    /// What is said of a URL that is in both.
    private mutating func sameURL(_ url: String, _ old: [ListedPlaylist], _ new: [ListedPlaylist]) {
        let ids = [old, new].map { Set($0.compactMap(\.stableID)) }
        if !ids[0].isEmpty {
            guard ids[0].isDisjoint(with: ids[1]) else { return }
            let now = ids[1].isEmpty ? "none" : Self.words(ids[1])
            add(LiveRules.stableName, "\(url) had the name \(Self.words(ids[0])), and has \(now)")
            return
        }
        let content = [old, new].map { Set($0.map(\.content)) }
        // Another group of sound adds another list of codecs; that is no other content.
        guard content[0].isDisjoint(with: content[1]) else { return }
        let text = "\(url) was said to be \(Self.words(content[0])), and is \(Self.words(content[1]))"
        add(LiveRules.variantChanged, text)
    }

    /// Names that stay while what they stand for does not.
    private mutating func names(_ former: [ListedPlaylist], _ next: [ListedPlaylist]) {
        let (old, new) = (Self.byName(former), Self.byName(next))
        for (key, one) in Self.inOrder(old) {
            guard let other = new[key] else { continue }
            let content = [one, other].map { Set($0.map(\.content)) }
            guard content[0].isDisjoint(with: content[1]) else { continue }
            add(LiveRules.stableName, "\(key.name) was \(Self.words(content[0])), and is \(Self.words(content[1]))")
        }
    }

    /// Looks for what is listed in the place of a playlist.
    private mutating func successor(
        of url: String,
        _ old: [ListedPlaylist],
        among next: [ListedPlaylist],
        _ added: [ListedPlaylist]
    ) {
        for one in old {
            if let id = one.stableID, next.contains(where: { $0.kind == one.kind && $0.stableID == id }) {
                moved.insert(url)
                return
            }
        }
        for one in old {
            let other = added.first {
                $0.kind == one.kind && $0.content == one.content && $0.place == one.place
            }
            guard let other else { continue }
            moved.insert(url)
            let text = "\(url) is \(other.url) now, and no name that stays says that it is the same"
            add(LiveRules.moved, text)
            return
        }
    }

    private static func byURL(_ listed: [ListedPlaylist]) -> [Key: [ListedPlaylist]] {
        Dictionary(grouping: listed) { Key(kind: $0.kind, name: $0.url) }
    }

    private static func byName(_ listed: [ListedPlaylist]) -> [Key: [ListedPlaylist]] {
        Dictionary(grouping: listed.filter { $0.stableID != nil }) { Key(kind: $0.kind, name: $0.stableID ?? "") }
    }

    private static func inOrder(_ listed: [Key: [ListedPlaylist]]) -> [(key: Key, value: [ListedPlaylist])] {
        listed.sorted { $0.key.name < $1.key.name }
    }

    private static func words(_ texts: Set<String>) -> String { texts.sorted().joined(separator: " or ") }
}
