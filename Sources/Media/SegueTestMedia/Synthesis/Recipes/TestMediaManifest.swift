internal import Foundation
internal import SegueFFmpeg

/// The contents of a folder of made files, with their recipes.
struct TestMediaManifest: Codable, Sendable {
    /// The maker's version; it increases with every change of output.
    static let version = 1

    var schema = 1
    var files: [File] = []

    struct File: Codable, Sendable {
        var file: String
        var about: String
        /// A hash of everything that determines the bytes, including the recipe.
        var recipe: String
        var bytes: Int
        var sha256: String
        var truth: SyntheticTruth
    }

    static func read(fromFolder folder: String) throws -> TestMediaManifest {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + SyntheticTruth.manifestName))
        return try JSONDecoder().decode(TestMediaManifest.self, from: data)
    }

    func write(toFolder folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let sorted = TestMediaManifest(files: files.sorted { $0.file < $1.file })
        let url = URL(fileURLWithPath: folder + "/" + SyntheticTruth.manifestName)
        try encoder.encode(sorted).write(to: url, options: .atomic)
    }

    /// The hash of a recipe, its components, and the libraries.
    static func hash(of recipe: Recipe, among recipes: [String: Recipe]) -> String {
        let parts = recipe.source.parts.compactMap { recipes[$0] }
        let all = ([recipe] + parts).map { "\($0.file) \($0.source) \($0.damage)" }
        let text = all.joined(separator: "\n") + "\n\(version) \(MediaLibraries.versions)"
        return Checksum.sha256(Array(text.utf8))
    }
}
