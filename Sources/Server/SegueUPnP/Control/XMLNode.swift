/// An element of a small XML document, such as SOAP or a device description.
package struct XMLNode: Sendable, Equatable {
    /// The name without its prefix.
    package var name: String
    /// The direct text with resolved references.
    package var text = ""
    /// The child elements.
    package var children: [XMLNode] = []

    package init(name: String, text: String = "", children: [XMLNode] = []) {
        (self.name, self.text, self.children) = (name, text, children)
    }

    package func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// The first descendant with a name.
    package func descendant(_ name: String) -> XMLNode? {
        for child in children {
            if child.name == name { return child }
            if let found = child.descendant(name) { return found }
        }
        return nil
    }

    /// The text without surrounding whitespace.
    package var trimmedText: String {
        let isBlank = { (character: Character) in character.isWhitespace }
        var text = self.text[...]
        text = text.drop(while: isBlank)
        while text.last.map(isBlank) == true { text.removeLast() }
        return String(text)
    }
}
