internal import Mustache
internal import SegueBase

/// An HTML page in a file, with places for values.
///
/// Places are Mustache tags: `{{name}}` inserts a value as text, `{{{name}}}` inserts it as HTML. A style sheet or script
/// that the page links by a file name without a folder (`href="report.css"`, `src="report.js"`) becomes part of the page.
package struct PageTemplate: Sendable {
    /// The inlined style sheets, as sources of a `style-src` directive.
    package let styleSources: String
    /// The inlined scripts, as sources of a `script-src` directive.
    package let scriptSources: String

    private let template: MustacheTemplate
    private let inlined: [String: String]

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - name: The file name of the template.
    ///   - read: Returns the text of a file in the template's folder.
    /// - Throws: ``PageFailure`` if the template is malformed, or the error of `read`.
    package init(_ name: String, reading read: (String) throws(PageFailure) -> String) throws(PageFailure) {
        var (html, inlined) = (try read(name), [String: String]())
        let styles = try Self.inline(.style, of: &html, into: &inlined, reading: read)
        let scripts = try Self.inline(.script, of: &html, into: &inlined, reading: read)
        (styleSources, scriptSources, self.inlined) = (styles, scripts, inlined)
        do {
            template = try EscapedMarkup.template(html)
        } catch let error as MustacheTemplate.ParserError {
            throw PageFailure("\(name):\(error.context.lineNumber): malformed template: \(error.error)")
        } catch {
            throw PageFailure("\(name): malformed template: \(error)")
        }
    }

    /// Returns the page with values in its places.
    ///
    /// - Parameter values: The values by name: texts, numbers, Boolean values for sections, arrays, dictionaries, or
    ///   structures, whose properties are found by name.
    /// - Returns: The page in HTML.
    package func page(_ values: [String: Any] = [:]) -> String {
        template.render(values.merging(inlined) { _, inlined in inlined })
    }

    // MARK: Inlining

    private enum Part: String {
        case style, script
    }

    /// Replaces links to files of the page by their contents.
    ///
    /// The contents are values of their own: braces in a script are not tags.
    ///
    /// - Returns: The sources of a security policy that allow the contents.
    private static func inline(
        _ part: Part,
        of html: inout String,
        into inlined: inout [String: String],
        reading read: (String) throws(PageFailure) -> String
    ) throws(PageFailure) -> String {
        let link =
            switch part {
            case .style: /<link rel="stylesheet" href="([\w.\-]+)">/
            case .script: /<script src="([\w.\-]+)"><\/script>/
            }
        var sources: [String] = []
        while let match = html.firstMatch(of: link) {
            let file = String(match.output.1)
            // Browsers hash the text with line feeds, whatever line ends the file has.
            let text = try read(file).replacing("\r\n", with: "\n")
            for end in ["</\(part.rawValue)", "<!--"] where text.lowercased().contains(end) {
                throw PageFailure("\(file): contains \(end), which cannot be inside a \(part.rawValue) element")
            }
            let key = "\(part.rawValue)\(sources.count)"
            inlined[key] = text
            sources.append(ContentHash.source(of: text))
            html.replaceSubrange(match.range, with: "<\(part.rawValue)>{{{\(key)}}}</\(part.rawValue)>")
        }
        return sources.isEmpty ? "'none'" : sources.joined(separator: " ")
    }
}

/// Escapes values as `MarkupText` does, scalar by scalar.
///
/// Mustache escapes by character: it misses a quote that a combining mark follows, so a file name could
/// end an attribute.
private struct EscapedMarkup: MustacheContentType {
    private static let name = "SEGUE"
    private static let registration: Void = MustacheContentTypes.register(Self(), named: name)

    static func template(_ html: String) throws -> MustacheTemplate {
        registration
        return try MustacheTemplate(string: "{{% CONTENT_TYPE:\(name)}}" + html)
    }

    func escapeText(_ text: String) -> String { MarkupText.escaped(text) }
}
