internal import Foundation
internal import SegueBase
package import SegueData

/// Reads recipe files; `TestMedia/README.md` describes their keys.
package enum RecipeReader {
    /// All recipes of a folder's `.yaml` files, in the order of the files' names.
    ///
    /// - Parameter folder: The path of the folder.
    /// - Returns: The recipes, at least one.
    /// - Throws: ``HarnessError`` for the first thing that is wrong, two recipes for one file included.
    package static func recipes(inFolder folder: String) throws(HarnessError) -> [Recipe] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw HarnessError(file: folder, message: "cannot be read")
        }
        var recipes: [Recipe] = []
        for name in names.filter({ $0.hasSuffix(".yaml") }).sorted() {
            recipes += try self.recipes(HarnessFile.fields(ofFileAt: folder + "/" + name))
        }
        guard !recipes.isEmpty else { throw HarnessError(file: folder, message: "has no recipes (*.yaml)") }
        try check(recipes)
        return recipes
    }

    /// The recipes in the text of one recipe file.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - file: The name for error messages.
    /// - Returns: The recipes, in their order.
    /// - Throws: ``HarnessError`` for the first thing that is wrong.
    package static func parse(_ text: String, file: String) throws(HarnessError) -> [Recipe] {
        try recipes(HarnessFile.fields(of: text, file: file))
    }

    private static func recipes(_ fields: HarnessFields) throws(HarnessError) -> [Recipe] {
        var fields = fields
        let list = try fields.list("recipes")
        try fields.finish()
        var recipes: [Recipe] = []
        for entry in list { recipes.append(try recipe(entry)) }
        return recipes
    }

    /// Makes sure that no two recipes make one file and that the files others are made of exist.
    private static func check(_ recipes: [Recipe]) throws(HarnessError) {
        var seen: [String: Recipe] = [:]
        for recipe in recipes {
            if let other = seen[recipe.file] {
                throw recipe.error(
                    "file",
                    "\(recipe.file) is also made by \(other.origin.file):\(other.origin.line ?? 0)"
                )
            }
            seen[recipe.file] = recipe
        }
        for recipe in recipes {
            for part in recipe.source.parts {
                guard let other = seen[part] else { throw recipe.error("join", "no recipe makes \(part)") }
                guard other.source.parts.isEmpty else {
                    throw recipe.error("join", "\(part) is itself made of other files")
                }
            }
        }
    }

    private static func recipe(_ fields: HarnessFields) throws(HarnessError) -> Recipe {
        var fields = fields
        let file = try fields.requiredText("file")
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(""), !parts.contains(".."), !parts.contains(".") else {
            throw fields.error("file", "is \(file), must be a path inside of the folder")
        }
        let about = try fields.requiredText("about")
        let expect = try fields.word("expect", of: Recipe.Expectation.self) ?? .full
        let damage = try damage(&fields)
        let source = try source(&fields, file: file)
        try fields.finish()
        return Recipe(
            file: file,
            about: about,
            source: source,
            damage: damage,
            expect: expect,
            origin: Recipe.Origin(file: fields.file, line: fields.line)
        )
    }

    private static func source(_ fields: inout HarnessFields, file: String) throws(HarnessError) -> Recipe.Source {
        let others = ["join", "copy", "empty", "random", "text"].filter(fields.has)
        guard others.count <= 1 else { throw fields.error(others[1], "stands beside \(others[0]); use one of them") }
        if let parts = try fields.texts("join") {
            guard parts.count >= 2 else { throw fields.error("join", "needs two files or more") }
            return .join(parts)
        }
        if let part = try fields.text("copy") { return .copy(part) }
        if try fields.flag("empty") == true { return .empty }
        if let count = try fields.integer("random", in: 1...10_000_000) { return .random(count) }
        if let text = try fields.text("text") { return .text(text) }
        return .encoding(try RecipeTrackReader.encoding(&fields, file: file))
    }

    private static func damage(_ fields: inout HarnessFields) throws(HarnessError) -> [Recipe.Damage] {
        var damage: [Recipe.Damage] = []
        for entry in try fields.list("damage") {
            var entry = entry
            if let fraction = try entry.number("keep") {
                guard fraction > .zero, fraction < Rational(1) else {
                    throw entry.error("keep", "must be between 0 and 1")
                }
                damage.append(.keep(fraction))
            } else if let count = try entry.integer("drop", in: 1...100_000_000) {
                damage.append(.dropFirst(count))
            } else if let fraction = try entry.number("corrupt") {
                let count = try entry.integer("bytes", in: 1...1_000_000) ?? 1000
                damage.append(.corrupt(at: fraction, count: count))
            } else if let count = try entry.integer("prepend", in: 1...1_000_000) {
                damage.append(.prepend(count))
            } else {
                throw entry.error("keep", "or drop, corrupt or prepend is missing")
            }
            try entry.finish()
        }
        return damage
    }
}

extension Recipe {
    /// An error about a key of this recipe.
    func error(_ key: String, _ message: String) -> HarnessError {
        HarnessError(file: origin.file, line: origin.line, key: key, message: message)
    }
}

extension Recipe.Source {
    /// The other recipes' files that this one is made of.
    package var parts: [String] {
        switch self {
        case .join(let parts): parts
        case .copy(let part): [part]
        case .encoding, .empty, .random, .text: []
        }
    }
}
