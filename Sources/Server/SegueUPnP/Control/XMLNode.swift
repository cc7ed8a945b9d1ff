/// An element of a small XML document, as SOAP and descriptions of devices are.
package struct XMLNode: Sendable, Equatable {
    /// The name without its prefix.
    package var name: String
    /// The text directly in it, references resolved.
    package var text = ""
    /// The elements directly in it.
    package var children: [XMLNode] = []

    /// An element.
    package init(name: String, text: String = "", children: [XMLNode] = []) {
        (self.name, self.text, self.children) = (name, text, children)
    }

    /// The first element directly in it with a name.
    package func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// The first element with a name in it, at any depth.
    package func descendant(_ name: String) -> XMLNode? {
        for child in children {
            if child.name == name { return child }
            if let found = child.descendant(name) { return found }
        }
        return nil
    }

    /// The text without blanks around it.
    package var trimmedText: String {
        let isBlank = { (character: Character) in character.isWhitespace }
        var text = self.text[...]
        text = text.drop(while: isBlank)
        while text.last.map(isBlank) == true { text.removeLast() }
        return String(text)
    }
}
