internal import SegueBase

/// The changes from one version of a multivariant playlist to the next.
struct MultivariantChanges {
    private struct Key: Hashable {
        let kind: ListedPlaylist.Kind
        let name: String
    }

    private(set) var breaches: [Breach] = []
    /// The URLs that other URLs replace.
    private(set) var moved: Set<String> = []

    /// The maximum number of reported playlists for a rule and one load.
    private static let reportLimit = 3
    private var named: [String: Int] = [:]

    /// Compares two versions.
    init(from former: [ListedPlaylist], to next: [ListedPlaylist]) {
        let (old, new) = (Self.byURL(former), Self.byURL(next))
        for (key, one) in Self.inOrder(old) { new[key].map { sameURL(key.name, from: one, to: $0) } }
        names(former, next)
        let added = next.filter { old[Key(kind: $0.kind, name: $0.url)] == nil }
        for (key, one) in Self.inOrder(old) where new[key] == nil { successor(of: key.name, one, among: next, added) }
    }

    /// Returns true if no variant has an earlier URL, as with URLs that differ for each client.
    static func areOthers(_ former: [ListedPlaylist], _ next: [ListedPlaylist]) -> Bool {
        let variants = [former, next].map { Set($0.filter { $0.kind == .variant }.map(\.url)) }
        return !variants[0].isEmpty && !variants[1].isEmpty && variants[0].isDisjoint(with: variants[1])
    }

    /// Returns breaches for stable IDs that name different content in one version.
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
                guard other.content.isDisjoint(with: content), found.count < reportLimit else { continue }
                let message: Message =
                    "\(id) names \(words(other.content)) at \(value: other.url) and \(words(content)) at \(value: key.name)"
                found.append(Breach(LiveRules.stableName, message))
            }
        }
        return found
    }

    private mutating func add(_ rule: Rule, _ message: Message) {
        named[rule.id, default: 0] += 1
        if named[rule.id, default: 0] <= Self.reportLimit { breaches.append(Breach(rule, message)) }
    }

    /// Compares the entries of a URL that both versions have.
    private mutating func sameURL(_ url: String, from old: [ListedPlaylist], to new: [ListedPlaylist]) {
        let ids = [old, new].map { Set($0.compactMap(\.stableID)) }
        if !ids[0].isEmpty {
            guard ids[0].isDisjoint(with: ids[1]) else { return }
            let now = ids[1].isEmpty ? "none" : Self.words(ids[1])
            add(LiveRules.stableName, "the stable ID of \(value: url) changes from \(Self.words(ids[0])) to \(now)")
            return
        }
        let content = [old, new].map { Set($0.map(\.content)) }
        // Another audio group only adds a list of codecs.
        guard content[0].isDisjoint(with: content[1]) else { return }
        let message: Message =
            "the description of \(value: url) changes from \(Self.words(content[0])) to \(Self.words(content[1]))"
        add(LiveRules.variantChanged, message)
    }

    /// Compares the content of stable IDs that both versions have.
    private mutating func names(_ former: [ListedPlaylist], _ next: [ListedPlaylist]) {
        let (old, new) = (Self.byName(former), Self.byName(next))
        for (key, one) in Self.inOrder(old) {
            guard let other = new[key] else { continue }
            let content = [one, other].map { Set($0.map(\.content)) }
            guard content[0].isDisjoint(with: content[1]) else { continue }
            add(
                LiveRules.stableName,
                "the content of \(value: key.name) changes from \(Self.words(content[0])) to \(Self.words(content[1]))"
            )
        }
    }

    /// Finds the replacement of a playlist.
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
            add(LiveRules.moved, "\(value: url) becomes \(value: other.url) without a stable ID")
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
