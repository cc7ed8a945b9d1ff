// swift-tools-version: 6.2
import PackageDescription

// Seven ways to go on in the background, as an app's own code against SeguePlayer. In a package of one's own the path is
// the URL of Segue.
let package = Package(
    name: "Controllers",
    products: [.library(name: "Controllers", targets: ["Controllers"])],
    dependencies: [.package(name: "segue", path: "../..", traits: [])],
    targets: [
        .target(name: "Controllers", dependencies: [.product(name: "SeguePlayer", package: "segue")])
    ]
)
