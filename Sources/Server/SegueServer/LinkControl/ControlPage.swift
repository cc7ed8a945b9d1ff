package import SegueWeb

/// The page that shows links and changes them: one document, which loads nothing from elsewhere.
package struct ControlPage: Sendable {
    /// The page in HTML.
    let bytes: [UInt8]

    /// The page's policy: its own script and style, and requests to this server.
    let securityPolicy: String

    /// Reads the page.
    ///
    /// - Throws: ``PageFailure`` if a file of the page is missing or malformed.
    package init(_ folder: WebFolder) throws(PageFailure) {
        let template = try folder.template("link/link.html")
        bytes = Array(template.page().utf8)
        securityPolicy =
            "default-src 'none'; script-src \(template.scriptSources); style-src \(template.styleSources); "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
}
