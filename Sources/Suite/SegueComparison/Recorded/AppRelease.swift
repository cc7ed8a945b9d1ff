/// A release of an app: the app and its version.
package struct AppRelease: Sendable, Hashable, Codable {
    package var app: String
    package var version: String

    package init(app: String, version: String) { (self.app, self.version) = (app, version) }
}
