import Foundation
import SegueBase
import SegueCurl
import SegueDiscovery

/// A server in the list of `segue find`, with all its addresses.
struct ListedServer: Encodable, Sendable {
    /// The kind: `segue` or `dlna`.
    let kind: FoundServer.Kind
    let name: String
    /// The URLs, IPv4 first.
    let urls: [String]
    /// The program and its version, if known.
    let version: String
    let id: String
    let needsKey: Bool
    let usesTLS: Bool
    /// The number of items; null if unknown.
    var items: Int?

    private enum CodingKeys: CodingKey { case kind, name, urls, version, id, needsKey, usesTLS, items }

    /// Merges servers with the same id and name, sorted by name.
    static func joined(_ found: [FoundServer]) -> [ListedServer] {
        let groups = Dictionary(grouping: found) { [$0.kind.rawValue, $0.id.isEmpty ? $0.url : $0.id, $0.name] }
        let servers = groups.values.compactMap { group -> ListedServer? in
            guard let first = group.first else { return nil }
            let urls = Set(group.map(\.url)).sorted { ($0.contains("[") ? 1 : 0, $0) < ($1.contains("[") ? 1 : 0, $1) }
            return ListedServer(first, urls: urls)
        }
        return servers.sorted {
            ($0.kind == .segue ? 0 : 1, $0.name, $0.id) < ($1.kind == .segue ? 0 : 1, $1.name, $1.id)
        }
    }

    private init(_ server: FoundServer, urls: [String]) {
        (kind, name, self.urls, version, id) = (server.kind, server.name, urls, server.version, server.id)
        (needsKey, usesTLS) = (server.needsKey, server.usesTLS)
    }

    /// Queries the numbers of items of all servers in parallel.
    ///
    /// `patience` is the timeout of each server. The order is preserved.
    static func asked(_ servers: [ListedServer], patience: Duration) async -> [ListedServer] {
        await withTaskGroup(of: (Int, ListedServer).self) { group in
            for (number, server) in servers.enumerated() {
                group.addTask { (number, await server.asked(patience: patience)) }
            }
            var asked = servers
            for await (number, server) in group { asked[number] = server }
            return asked
        }
    }

    /// Queries the number of items, if the server is accessible.
    private func asked(patience: Duration) async -> ListedServer {
        guard kind == .segue, !needsKey, let base = urls.first else { return self }
        struct List: Decodable { var total: Int }
        let timeouts = HTTPFetcher.Timeouts(connecting: patience, idle: patience, whole: patience)
        let url = base + (base.hasSuffix("/") ? "" : "/") + "api/items?limit=1&wait=0"
        var server = self
        server.items = try? await HTTPFetcher(url, timeouts: timeouts, limit: 1 << 20).fetch().json(List.self).total
        return server
    }

    /// The line of the server: its name, URLs, and details.
    var line: String {
        var facts: [String] = []
        if let items { facts.append(items == 1 ? "1 item" : "\(items) items") }
        if !version.isEmpty { facts.append(kind == .segue ? "version \(version)" : version) }
        if needsKey { facts.append("needs a key") }
        if usesTLS { facts.append("TLS") }
        let text = ["\(name) (\(kind == .segue ? "Segue" : "DLNA"))", urls.joined(separator: " ")] + facts
        return ControlCharacters.shown(text.joined(separator: "  "))
    }

    /// Encodes all keys, with null for unknown values.
    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(name, forKey: .name)
        try fields.encode(urls, forKey: .urls)
        try fields.encode(version, forKey: .version)
        try fields.encode(id, forKey: .id)
        try fields.encode(needsKey, forKey: .needsKey)
        try fields.encode(usesTLS, forKey: .usesTLS)
        try fields.encode(items, forKey: .items)
    }
}
