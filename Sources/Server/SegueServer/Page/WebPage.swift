package import SegueOrigin
import SegueWeb

/// The web page: a list that works as it is, which its script turns into a player.
package struct WebPage: PageRendering {
    private let files: PageFiles
    private let template: PageTemplate
    private let localAddresses: @Sendable () -> [String]

    /// A page that tells other devices where the server is.
    ///
    /// - Parameters:
    ///   - files: What it is made of.
    ///   - localAddresses: This machine's addresses in the network.
    /// - Throws: ``PageFailure`` if the template is malformed.
    package init(files: PageFiles, localAddresses: @escaping @Sendable () -> [String]) throws {
        template = try files.template(PageFiles.template)
        (self.files, self.localAddresses) = (files, localAddresses)
    }

    /// The page of a list, in the visitor's language.
    package func page(of listing: ItemListing, for visit: PageVisit) -> RenderedPage {
        let language = LanguageChoice.best(for: visit, of: files.languages.keys.sorted())
        let words = files.languages[language] ?? PageWords(texts: [:])
        var model = ListModel(listing, words, language: visit.language).values
        model["language"] = language
        model["languages"] = files.languages.sorted { $0.key < $1.key }.map { tag, words in
            ["tag": tag, "name": words.text("languageName"), "isChosen": tag == language] as [String: Any]
        }
        model["words"] = words.texts
        model["version"] = files.version
        model["icons"] = files.text("icons.svg")
        model["visitor"] = visit.visitorName.isEmpty ? nil : visit.visitorName
        model["address"] = PageAddress.best(host: visit.host, localAddresses: localAddresses)
        return RenderedPage(html: template.page(model), securityPolicy: Self.securityPolicy)
    }

    /// A file that the page needs.
    package func file(_ name: String, version: String) -> PageFile? { files.file(name, version: version) }

    /// What the page may do: run this server's scripts, load from this server and nowhere else.
    private static let securityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        + "media-src 'self' blob:; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"
}
