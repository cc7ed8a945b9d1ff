package import SegueOrigin
import SegueWeb

/// The page for browsers: a list that works without JavaScript and that its script turns into a player.
package struct WebPage: PageRendering {
    private let files: PageFiles
    private let template: PageTemplate
    private let localAddresses: @Sendable () -> [String]

    /// Reads the page.
    ///
    /// - Parameters:
    ///   - files: The files of the page.
    ///   - localAddresses: Returns this machine's addresses in the network, which the page shows to other devices.
    /// - Throws: ``PageFailure`` if the template is malformed.
    package init(files: PageFiles, localAddresses: @escaping @Sendable () -> [String]) throws {
        template = try files.template(PageFiles.template)
        (self.files, self.localAddresses) = (files, localAddresses)
    }

    /// Renders the page of a list in the visitor's language.
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

    /// Returns a file of the page; nil if there is none.
    package func file(_ name: String, version: String) -> PageFile? { files.file(name, version: version) }

    /// The page's policy: scripts, styles, and requests of this server only.
    private static let securityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        + "media-src 'self' blob:; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"
}
