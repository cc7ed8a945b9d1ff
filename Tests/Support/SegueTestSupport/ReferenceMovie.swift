/// A QuickTime movie whose samples lie in another file, as editors make them.
package enum ReferenceMovie {
    /// How a movie says where its samples are.
    package enum Kind: String, Sendable, CaseIterable {
        /// An alias record of the Macintosh, with a path from the movie's folder to the file.
        case relativeAlias
        /// An alias record with an absolute path alone.
        case absoluteAlias
        /// An address.
        case address
        /// A resource's name.
        case resource
    }

    /// A movie like another one, without content: its samples are said to lie in a file.
    ///
    /// - Parameters:
    ///   - movie: The other movie; its index comes after the content.
    ///   - kind: How the file is named.
    ///   - path: The file's absolute path; it lies in the movie's own folder.
    /// - Returns: The movie.
    package static func bytes(like movie: [UInt8], _ kind: Kind, to path: String) -> [UInt8] {
        boxes(movie).flatMap { head, body -> [UInt8] in
            let name = String(decoding: head.suffix(4), as: UTF8.self)
            if name == "mdat" { return head + [UInt8](repeating: 0, count: body.count) }
            return name == "moov" ? box("moov", index(body, entry(kind, path))) : head + body
        }
    }

    private static func index(_ body: [UInt8], _ entry: [UInt8]) -> [UInt8] {
        boxes(body).flatMap { head, body -> [UInt8] in
            switch String(decoding: head.suffix(4), as: UTF8.self) {
            case let name where ["trak", "mdia", "minf", "dinf"].contains(name): box(name, index(body, entry))
            case "dref": box("dref", [0, 0, 0, 0, 0, 0, 0, 1] + entry)
            default: head + body
            }
        }
    }

    private static func entry(_ kind: Kind, _ path: String) -> [UInt8] {
        let name = String(path.split(separator: "/").last ?? "")
        let flags: [UInt8] = [0, 0, 0, 0]
        switch kind {
        case .relativeAlias: return box("alis", flags + alias("Disk:folder:\(name)", name, levels: 1))
        case .absoluteAlias: return box("alis", flags + alias(path, name, levels: 0))
        case .address: return box("url ", flags + Array("file://\(path)".utf8) + [0])
        case .resource: return box("rsrc", flags + alias("Disk:folder:\(name)", name, levels: 1))
        }
    }

    /// An alias record (Inside Macintosh: Files): volume, name, how many folders up and down, and the path.
    private static func alias(_ path: String, _ name: String, levels: UInt8) -> [UInt8] {
        let path = Array(path.utf8)
        var record = [UInt8](repeating: 0, count: 10)
        record += text("Disk", 27) + [UInt8](repeating: 0, count: 12) + text(name, 63)
        record += [UInt8](repeating: 0, count: 16) + [0, levels, 0, levels] + [UInt8](repeating: 0, count: 16)
        record += [0, 2, UInt8(path.count >> 8), UInt8(path.count & 255)] + path + (path.count % 2 == 1 ? [0] : [])
        return record + [255, 255, 0, 0]
    }

    private static func text(_ text: String, _ size: Int) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(size))
        return [UInt8(bytes.count)] + bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    private static func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let size = body.count + 8
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(name.utf8) + body
    }

    /// The boxes of a stretch, each with its size in 32 bits.
    private static func boxes(_ bytes: [UInt8]) -> [(head: [UInt8], body: [UInt8])] {
        var (rest, found) = (bytes[...], [(head: [UInt8], body: [UInt8])]())
        while rest.count >= 8 {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard (8...rest.count).contains(size) else { break }
            found.append((Array(rest.prefix(8)), Array(rest.prefix(size).dropFirst(8))))
            rest = rest.dropFirst(size)
        }
        return found
    }
}
