internal import SegueBase

/// The assets of an interstitial, in the order in which they are played (RFC 8216bis, D.2: `X-ASSET-LIST`).
package struct AssetList: Sendable, Equatable {
    /// One asset.
    package struct Asset: Sendable, Equatable {
        /// Its playlist, as written.
        package var uri: String
        /// How long it is said to be; nil where that is not said.
        package var duration: Duration?
    }

    /// How many assets are taken.
    package static let mostAssets = 200

    /// The assets.
    package var assets: [Asset]

    /// Reads a list; nil for what is none.
    ///
    /// An asset without an address is left out.
    package init?(_ text: String) {
        guard let all = JSONValue(text)?["ASSETS"]?.elements else { return nil }
        assets = all.prefix(AssetList.mostAssets).compactMap { asset in
            guard let uri = asset["URI"]?.text, !uri.isEmpty else { return nil }
            let seconds = asset["DURATION"]?.seconds ?? asset["DURATION"]?.text.flatMap(Double.init)
            let duration = seconds.flatMap(Interstitial.duration).flatMap { $0 >= .zero ? $0 : nil }
            return Asset(uri: uri, duration: duration)
        }
    }
}
