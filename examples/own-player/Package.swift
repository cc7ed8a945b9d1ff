// swift-tools-version: 6.2
import PackageDescription

// Seven controllers for SeguePlayer with different background behavior. In your own package, use the URL of Segue instead
// of the path.
let package = Package(
    name: "Controllers",
    products: [.library(name: "Controllers", targets: ["Controllers"])],
    dependencies: [.package(name: "segue", path: "../..", traits: [])],
    targets: [
        .target(name: "Controllers", dependencies: [.product(name: "SeguePlayer", package: "segue")])
    ]
)
