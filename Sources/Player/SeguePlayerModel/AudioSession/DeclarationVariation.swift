/// A change of one declaration of an app, as a developer might have written it.
package struct DeclarationVariation: Sendable {
    /// The name, such as `no-background-mode`.
    package let name: String
    /// The line of the app policy.
    package let line: String
    package let declarations: AppDeclarations

    /// Returns the changes that take something away from an app's declarations: the background mode, the category, and
    /// the activation.
    package static func all(of declarations: AppDeclarations) -> [DeclarationVariation] {
        var all: [DeclarationVariation] = []
        func add(_ name: String, line: String, _ change: (inout AppDeclarations) -> Void) {
            var copy = declarations
            change(&copy)
            guard copy != declarations else { return }
            all.append(DeclarationVariation(name: name, line: line, declarations: copy))
        }
        let others = declarations.backgroundModes.filter { $0 != .audio }
        let source = "source: \"choice: a search varies it\""
        let modes = others.map(\.rawValue).joined(separator: ", ")
        add("no-background-mode", line: "background-modes: { value: [\(modes)], \(source) }") {
            $0.backgroundModes = others
        }
        for category in [AudioSessionCategory.soloAmbient, .ambient, .record] {
            let line = """
                audio-session:
                  category: { value: \(category.rawValue), \(source) }
                  mode: { value: default, \(source) }
                  options: { value: [], \(source) }
                """
            add("category-\(category.rawValue)", line: line) { $0.session = AudioSessionSettings(category: category) }
        }
        add("not-active", line: "audio-session:\n  active: { value: never, \(source) }") { $0.activation = .never }
        return all
    }
}
