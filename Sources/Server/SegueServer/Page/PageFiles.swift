import Foundation
import SegueFFmpeg
import SegueOrigin

/// The files that the page for browsers is made of, as they lay in a folder when the server began.
package struct PageFiles: Sendable {
    /// What is missing or wrong in the folder, in one line.
    package struct Failure: Error, CustomStringConvertible {
        /// The line.
        package let description: String
    }

    /// The template of the page.
    static let template = "page.html"
    /// What is filled in and never sent as it is.
    private static let templates = [template, LoginPage.template]

    /// The files by their paths below the folder.
    private let files: [String: [UInt8]]

    /// A name for all their bytes, which stands in their addresses.
    package let version: String

    /// The words of each language that there are, by its tag.
    let languages: [String: PageWords]

    /// Reads a folder; hidden files and those of kinds that a page does not need are left out.
    ///
    /// - Parameter folder: The folder, with `page.html` and `words/en.json` in it.
    /// - Throws: ``Failure`` where it cannot be read, or the template or the English words are missing or malformed.
    package init(folder: String) throws {
        var files: [String: [UInt8]] = [:]
        for name in try Self.names(in: folder) {
            let path = folder + "/" + name
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Failure(description: "\(path): cannot be read; SEGUE_PAGE may name another folder")
            }
            files[name] = Array(data)
        }
        var languages: [String: PageWords] = [:]
        for (name, bytes) in files where name.hasPrefix("words/") && name.hasSuffix(".json") {
            do {
                languages[String(name.dropFirst(6).dropLast(5))] = try PageWords(json: bytes)
            } catch {
                throw Failure(description: "\(folder)/\(name): the words cannot be read: \(error)")
            }
        }
        guard files[Self.template] != nil, languages["en"] != nil else {
            throw Failure(
                description: "\(folder): page.html and words/en.json are not there; SEGUE_PAGE may name another"
            )
        }
        (self.files, self.languages) = (files, languages)
        version = Self.version(of: files)
    }

    /// The text of a file; empty where there is none.
    func text(_ name: String) -> String { String(decoding: files[name] ?? [], as: UTF8.self) }

    /// A file as it is sent.
    func file(_ name: String, version: String) -> PageFile? {
        guard !Self.templates.contains(name), let bytes = files[name], let type = Self.type(of: name) else {
            return nil
        }
        return PageFile(bytes: bytes, contentType: type, isCurrent: version == self.version)
    }

    private static func names(in folder: String) throws -> [String] {
        let list = { (path: String) throws in
            do {
                return try FileManager.default.contentsOfDirectory(atPath: path)
            } catch {
                throw Failure(description: "\(path): the page's files cannot be read; SEGUE_PAGE may name their folder")
            }
        }
        let top = try list(folder)
        let words = top.contains("words") ? try list(folder + "/words").map { "words/" + $0 } : []
        return (top + words).filter { type(of: $0) != nil && !$0.hasPrefix(".") }.sorted()
    }

    /// What a file is, by its name; nil for what a page does not need.
    private static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "html": "text/html; charset=utf-8"
        case "webmanifest": "application/manifest+json"
        default: nil
        }
    }

    private static func version(of files: [String: [UInt8]]) -> String {
        var all: [UInt8] = []
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            all += Array("\(name) \(bytes.count)\n".utf8)
            all += bytes
        }
        return String(Checksum.sha256(all).prefix(16))
    }
}
