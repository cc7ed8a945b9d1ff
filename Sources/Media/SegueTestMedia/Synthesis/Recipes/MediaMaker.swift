internal import Foundation
package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

/// A maker of test files from recipes.
package struct MediaMaker: Sendable {
    /// A failure to make a file.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var file: String
        /// The recipe's location.
        package var recipe: String
        package var reason: String

        package var description: String { "\(file): \(reason) (recipe: \(recipe))" }
    }

    /// The outcome of making a folder's files.
    package struct Result: Sendable {
        /// The files made now.
        package var made: [String] = []
        /// The existing, unchanged files.
        package var upToDate: [String] = []
        /// The files that failed.
        package var failures: [Failure] = []
    }

    package struct Progress: Sendable {
        /// The number of finished files, including failures and unchanged files.
        package var done: Int
        /// The total number of files.
        package var total: Int
        /// The last finished file.
        package var file: String
    }

    private let recipes: [Recipe]
    private let byFile: [String: Recipe]

    /// Creates a maker; recipes of component files must be included.
    package init(recipes: [Recipe]) {
        self.recipes = recipes
        byFile = Dictionary(recipes.map { ($0.file, $0) }, uniquingKeysWith: { $1 })
    }

    /// Makes all files in a folder, skipping those already made from the same recipe and libraries.
    ///
    /// It blocks until done and works on its own threads. `progress` is called after each file from any thread, never
    /// concurrently. The call throws if the folder cannot be written or the work is canceled.
    package func makeAll(
        into folder: String,
        jobs: Int,
        cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) throws -> Result {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let before = (try? TestMediaManifest.read(fromFolder: folder))?.files ?? []
        let known = Dictionary(before.map { ($0.file, $0) }, uniquingKeysWith: { $1 })
        let shared = Mutex(State())
        // Composite files come last; the longest work comes first, so that no thread is left with it at the end.
        let first = recipes.filter { $0.source.parts.isEmpty }.sorted { $0.effort > $1.effort }
        for batch in [first, recipes.filter { !$0.source.parts.isEmpty }] {
            WorkThread.run("media", count: min(jobs, batch.count)) {
                while let recipe = shared.withLock({ $0.take(from: batch) }), !cancellation.isCancelled {
                    let outcome = make(recipe, in: folder, known: known[recipe.file], cancellation: cancellation)
                    shared.withLock { state in
                        state.add(outcome, of: recipe)
                        progress(Progress(done: state.done, total: recipes.count, file: recipe.file))
                    }
                }
            }
            shared.withLock { $0.taken = 0 }
        }
        let (result, entries) = shared.withLock { ($0.result, $0.entries) }
        try TestMediaManifest(files: entries).write(toFolder: folder)
        try cancellation.check("make", file: folder)
        return result
    }

    /// Makes a file and its components in a folder, and returns its path.
    package func make(
        _ file: String,
        into folder: String,
        cancellation: Cancellation = Cancellation()
    ) throws -> String {
        guard let recipe = byFile[file] else {
            throw Failure(file: file, recipe: "nowhere", reason: "no recipe has this file name")
        }
        let needed = recipe.source.parts.compactMap { byFile[$0] } + [recipe]
        let before = (try? TestMediaManifest.read(fromFolder: folder))?.files ?? []
        var entries = Dictionary(before.map { ($0.file, $0) }, uniquingKeysWith: { $1 })
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for part in needed {
            switch make(part, in: folder, known: entries[part.file], cancellation: cancellation) {
            case .made(let entry), .upToDate(let entry): entries[part.file] = entry
            case .failed(let failure): throw failure
            }
        }
        try TestMediaManifest(files: Array(entries.values)).write(toFolder: folder)
        return folder + "/" + file
    }

    // MARK: - One file

    private enum Outcome { case made(TestMediaManifest.File), upToDate(TestMediaManifest.File), failed(Failure) }

    private struct State {
        var taken = 0
        var done = 0
        var result = Result()
        var entries: [TestMediaManifest.File] = []

        mutating func take(from batch: [Recipe]) -> Recipe? {
            guard taken < batch.count else { return nil }
            taken += 1
            return batch[taken - 1]
        }

        mutating func add(_ outcome: Outcome, of recipe: Recipe) {
            done += 1
            switch outcome {
            case .made(let entry):
                result.made.append(recipe.file)
                entries.append(entry)
            case .upToDate(let entry):
                result.upToDate.append(recipe.file)
                entries.append(entry)
            case .failed(let failure):
                result.failures.append(failure)
            }
        }
    }

    private func make(
        _ recipe: Recipe,
        in folder: String,
        known: TestMediaManifest.File?,
        cancellation: Cancellation
    ) -> Outcome {
        let path = folder + "/" + recipe.file
        let hash = TestMediaManifest.hash(of: recipe, among: byFile)
        if let known, known.recipe == hash, Self.size(ofFileAt: path) == known.bytes { return .upToDate(known) }
        // Written to a temporary file and renamed, so that an existing file is always complete.
        let draft = path + ".part"
        do {
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try write(recipe, to: draft, folder: folder, cancellation: cancellation)
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: draft, toPath: path)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            return .made(
                TestMediaManifest.File(
                    file: recipe.file,
                    about: recipe.about,
                    recipe: hash,
                    bytes: bytes.count,
                    sha256: Checksum.sha256(bytes),
                    truth: SyntheticTruth(recipe, among: byFile)
                )
            )
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
            let reason = (error as? MediaError).map(\.reason) ?? error.localizedDescription
            let place = recipe.origin.file + (recipe.origin.line.map { ":\($0)" } ?? "")
            return .failed(Failure(file: recipe.file, recipe: place, reason: reason))
        }
    }

    private func write(
        _ recipe: Recipe,
        to path: String,
        folder: String,
        cancellation: Cancellation
    ) throws {
        let bytes: [UInt8]
        switch recipe.source {
        case .encoding(let encoding):
            try RecipeEncoder.encode(recipe, encoding, to: path, cancellation: cancellation)
            guard !recipe.damage.isEmpty else { return }
            bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        case .join, .copy:
            bytes = try recipe.source.parts.flatMap {
                [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
            }
        case .empty: bytes = []
        case .random(let count): bytes = Noise.bytes(count, seed: recipe.seed)
        case .text(let text): bytes = Array(text.utf8)
        }
        let damaged = recipe.damage.reduce(bytes) { $1.applied(to: $0, seed: recipe.seed) }
        try Data(damaged).write(to: URL(fileURLWithPath: path))
    }

    private static func size(ofFileAt path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }
}
