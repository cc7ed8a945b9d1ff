internal import SegueBase

/// The assets of an interstitial in playback order (rfc8216bis, D.2: `X-ASSET-LIST`).
package struct AssetList: Sendable, Equatable {
    /// An asset of the list.
    package struct Asset: Sendable, Equatable {
        /// The URI of its playlist, as written.
        package var uri: String
        /// The stated duration in seconds; nil if not stated.
        package var duration: Duration?
    }

    /// The maximum number of assets that are read.
    package static let mostAssets = 200

    /// The assets in order.
    package var assets: [Asset]

    /// Parses a list; nil for other JSON.
    ///
    /// Assets without a URI are skipped.
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
