internal import Foundation
internal import SegueBase
package import SegueData

/// A reader of recipe files; `TestMedia/README.md` documents the keys.
package enum RecipeReader {
    /// Reads the recipes of all `.yaml` files in a folder, ordered by file name; at least one.
    ///
    /// Throws ``HarnessError`` for the first error, including two recipes for one file.
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
        guard !recipes.isEmpty else { throw HarnessError(file: folder, message: "contains no recipes (*.yaml)") }
        try check(recipes)
        return recipes
    }

    /// Parses a recipe file; `file` is its name for errors.
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

    /// Throws if two recipes make the same file or a component is missing.
    private static func check(_ recipes: [Recipe]) throws(HarnessError) {
        var seen: [String: Recipe] = [:]
        for recipe in recipes {
            if let other = seen[recipe.file] {
                throw recipe.error(
                    "file",
                    "\(recipe.file) is already made by \(other.origin.file):\(other.origin.line ?? 0)"
                )
            }
            seen[recipe.file] = recipe
        }
        for recipe in recipes {
            for part in recipe.source.parts {
                guard let other = seen[part] else { throw recipe.error("join", "no recipe makes \(part)") }
                guard other.source.parts.isEmpty else {
                    throw recipe.error("join", "\(part) is itself a composite file")
                }
            }
        }
    }

    private static func recipe(_ fields: HarnessFields) throws(HarnessError) -> Recipe {
        var fields = fields
        let file = try fields.requiredText("file")
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(""), !parts.contains(".."), !parts.contains(".") else {
            throw fields.error("file", "is \(file); use a relative path inside the folder")
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
        guard others.count <= 1 else {
            throw fields.error(others[1], "conflicts with \(others[0]); use only one of them")
        }
        if let parts = try fields.texts("join") {
            guard parts.count >= 2 else { throw fields.error("join", "requires at least two files") }
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
                throw entry.error("keep", "is missing; use one of keep, drop, corrupt, or prepend")
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
    /// The component files.
    package var parts: [String] {
        switch self {
        case .join(let parts): parts
        case .copy(let part): [part]
        case .encoding, .empty, .random, .text: []
        }
    }
}
