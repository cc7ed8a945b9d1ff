import Foundation
import SegueFFmpeg
import SegueOrigin
import SegueWeb

/// The files of the page for browsers, read when the server starts.
package struct PageFiles: Sendable {
    static let template = "page.html"
    /// The templates, which are never sent unfilled.
    private static let templates = [template, LoginPage.template]

    private let folder: String
    /// The files by their names in the page's addresses.
    private let files: [String: [UInt8]]

    /// A hash of all files, which is part of their addresses.
    package let version: String

    /// The words of each language by its tag.
    let languages: [String: PageWords]

    /// The translations of the server's error sentences.
    package let errorWords: ErrorWords

    /// Reads a folder, without hidden files and files of types that a page does not need.
    ///
    /// - Parameter folder: The folder that holds `page.html`; the folder `words` lies in it or beside it.
    /// - Throws: ``PageFailure`` if a folder cannot be read, or the template or the English words are missing or
    ///   malformed.
    package init(folder: String) throws {
        var files: [String: [UInt8]] = [:]
        for (name, path) in try Self.paths(in: folder) {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw PageFailure("\(path): cannot read the file")
            }
            files[name] = Array(data)
        }
        var languages: [String: PageWords] = [:]
        for (name, bytes) in files where name.hasPrefix("words/") && name.hasSuffix(".json") {
            do {
                languages[String(name.dropFirst(6).dropLast(5))] = try PageWords(json: bytes)
            } catch {
                throw PageFailure("\(folder): \(name): malformed words: \(error)")
            }
        }
        guard files[Self.template] != nil, languages["en"] != nil else {
            throw PageFailure("\(folder): page.html or words/en.json is missing; set SEGUE_PAGE to the page's folder")
        }
        (self.folder, self.files, self.languages) = (folder, files, languages)
        errorWords = try Self.errorWords(in: Self.words(of: folder) + "/errors")
        version = Self.version(of: files)
    }

    /// Reads a template and the files that it inlines.
    ///
    /// - Throws: ``PageFailure`` if a file is missing or the template is malformed.
    func template(_ name: String) throws(PageFailure) -> PageTemplate {
        try PageTemplate(name) { part throws(PageFailure) in
            guard files[part] != nil else { throw PageFailure("\(folder)/\(part): no such file") }
            return text(part)
        }
    }

    /// The text of a file; empty if there is none.
    func text(_ name: String) -> String { String(decoding: files[name] ?? [], as: UTF8.self) }

    /// Returns a file to send; nil if the page has no such file.
    func file(_ name: String, version: String) -> PageFile? {
        guard !Self.templates.contains(name), let bytes = files[name], let type = Self.type(of: name) else {
            return nil
        }
        return PageFile(bytes: bytes, contentType: type, isCurrent: version == self.version)
    }

    /// The files of the page by their names in its addresses.
    private static func paths(in folder: String) throws(PageFailure) -> [String: String] {
        let words = words(of: folder)
        let files = try names(in: folder).map { ($0, "\(folder)/\($0)") }
        let texts = try names(in: words).map { ("words/\($0)", "\(words)/\($0)") }
        return Dictionary(files + texts) { first, _ in first }
    }

    /// The folder of the words, in the page's folder or beside it.
    private static func words(of folder: String) -> String {
        let own = folder + "/words"
        return FileManager.default.fileExists(atPath: own) ? own : folder + "/../words"
    }

    /// Reads the translations of error sentences; none without a folder for them.
    private static func errorWords(in folder: String) throws(PageFailure) -> ErrorWords {
        guard FileManager.default.fileExists(atPath: folder) else { return .none }
        var languages: [String: [String: String]] = [:]
        for name in try names(in: folder) where name.hasSuffix(".json") {
            do {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                languages[String(name.dropLast(5))] = try PageWords(json: Array(bytes)).texts
            } catch {
                throw PageFailure("\(folder)/\(name): malformed words: \(error)")
            }
        }
        return ErrorWords(languages: languages)
    }

    private static func names(in folder: String) throws(PageFailure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { type(of: $0) != nil && !$0.hasPrefix(".") }
        } catch {
            throw PageFailure("\(folder): cannot read the page's folder; set SEGUE_PAGE to its path")
        }
    }

    /// Returns the media type of a file by its name; nil for types that a page does not need.
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
