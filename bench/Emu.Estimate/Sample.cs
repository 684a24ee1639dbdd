using Emu.Compiler;
using Emu.Compiler.Layouts;

namespace Emu.Estimate;

/// <summary>A small service that nobody tuned, in a layout: what the estimate of sizes is held against.</summary>
/// <param name="Make">Makes the service.</param>
/// <param name="Layout">The layout.</param>
/// <param name="IsAside">True if nothing in the estimate was changed for what synthesis says of it.</param>
public sealed record Sample(Func<Service> Make, Layout Layout, bool IsAside = false)
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<Sample> All { get; } =
    [
        Of<MixedSpread>(Layout.Pipeline), Of<ScaledChoice>(Layout.Pipeline), Of<TokenBuckets>(Layout.Pipeline),
        Of<BloomFilter>(Layout.Pipeline), Of<OneHop>(Layout.Pipeline), Of<VlanRewrite>(Layout.Pipeline),
        Of<ByteCounts>(Layout.Pipeline), Of<ByteTable>(Layout.Pipeline), Of<NearestStation>(Layout.Pipeline),
        Of<Normalised>(Layout.Pipeline), Of<RateByDivision>(Layout.Pipeline), Of<SortedWords>(Layout.Pipeline),
        Of<ToeplitzSpread>(Layout.Pipeline), Of<VlanRewrite>(Layout.Engine), Of<OneHop>(Layout.Engine),
        Of<PayloadDigest>(Layout.Engine), Of<LongestPrefix>(Layout.Engine), Of<SipTag>(Layout.Engine),
        Aside<MovingAverage>(Layout.Pipeline), Aside<PrefixList>(Layout.Pipeline), Aside<PortSwitch>(Layout.Pipeline),
        Aside<NtpAnswer>(Layout.Pipeline), Aside<ScalarProduct>(Layout.Pipeline), Aside<Milliseconds>(Layout.Pipeline),
        Aside<LeastLoaded>(Layout.Pipeline), Aside<SortedWords>(Layout.Engine),
        Aside<MovingAverage>(Layout.Engine), Aside<NearestStation>(Layout.Engine),
    ];

    /// <summary>The service's class and its layout.</summary>
    public string Name => $"{Make().GetType().Name}, {Layout}";

    /// <summary>
    /// Its circuit, on the device that nothing was said of, a pipeline at the interval that it can have.
    /// </summary>
    /// <exception cref="InvalidOperationException">There is no pipeline.</exception>
    public Circuit Compile()
    {
        var compiled = HardwareCompiler.Compile(
            Make(), new HardwareOptions(), Layout == Layout.Pipeline ? null : Layout);
        if (compiled.Layout == Layout) return compiled.Circuit;
        throw new InvalidOperationException(
            $"{Name}: {string.Join("; ", compiled.Bounds.Select(bound => bound.What))}");
    }

    private static Sample Of<T>(Layout layout) where T : Service, new() => new(() => new T(), layout);

    private static Sample Aside<T>(Layout layout) where T : Service, new() => new(() => new T(), layout, IsAside: true);
}
