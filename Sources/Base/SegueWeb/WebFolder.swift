internal import Foundation
internal import SegueData

/// The folder `Web`, which holds the HTML, CSS, JavaScript, and words of all pages.
package struct WebFolder: Sendable {
    /// The path of the folder, which has a folder for each page.
    package let path: String

    package init(path: String) { self.path = path }

    /// Finds the folder of a program: the one that `SEGUE_WEB` names, or `Web` beside the data folder, beside or above the
    /// program (a checkout), or in `../share/segue` (an installation).
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - data: The path of the data folder; nil without one.
    /// - Returns: The folder.
    /// - Throws: ``PageFailure`` if there is none.
    package static func belonging(
        to program: String,
        beside data: String?,
        environment: [String: String]
    ) throws(PageFailure) -> WebFolder {
        if let named = environment["SEGUE_WEB"] {
            guard ProgramFolder.holds("report", named) else {
                throw PageFailure("\(named): not a folder of pages; SEGUE_WEB must name the folder Web")
            }
            return WebFolder(path: named)
        }
        if let data {
            let sibling = URL(fileURLWithPath: data).deletingLastPathComponent().appendingPathComponent("Web").path
            if ProgramFolder.holds("report", sibling) { return WebFolder(path: sibling) }
        }
        guard let found = ProgramFolder.path(of: "Web", with: "report", belongingTo: program) else {
            throw PageFailure("Web: not found beside or above \(program); set SEGUE_WEB to the folder's path")
        }
        return WebFolder(path: found)
    }

    /// Reads the template of a page.
    ///
    /// - Parameter name: The path of the template below the folder, such as `report/report.html`.
    /// - Returns: The template.
    /// - Throws: ``PageFailure`` if a file of the page is missing or malformed.
    package func template(_ name: String) throws(PageFailure) -> PageTemplate {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        let folder = file.deletingLastPathComponent()
        return try PageTemplate(file.lastPathComponent) { part throws(PageFailure) in
            try Self.text(of: folder.appendingPathComponent(part).path)
        }
    }

    private static func text(of path: String) throws(PageFailure) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw PageFailure("\(path): cannot read the file of the page as UTF-8 text")
        }
        return text
    }
}
