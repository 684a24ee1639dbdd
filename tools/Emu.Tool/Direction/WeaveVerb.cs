using System.CommandLine;
using Emu.Direction.Weaving;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu weave</c></summary>
internal static class WeaveVerb
{
    private const string AddressParameter = "mac";
    private static readonly MacAddress s_usualAddress = new(0x0200_0000_0002);

    private static readonly Option<string> s_features = new("--features")
    {
        Description = $"The commands that the service obeys: some of {DirectionFeatures.Known}",
        HelpName = "FEATURES",
        Required = true,
    };

    private static readonly Option<string> s_out =
        new("--out") { Description = "The folder for the woven assembly", HelpName = "DIR", Required = true };

    private static readonly Option<string> s_key = new("--direct-key")
    {
        Description = "The key of direction: a file with 32 hexadecimal digits",
        HelpName = "FILE",
        Required = true,
    };

    private static readonly Option<string?> s_address = new("--direct-address")
    {
        Description =
            $"The MAC address of direction frames (the service's --mac; of one without, {s_usualAddress})",
        HelpName = "MAC",
    };

    private static readonly DirectionLimits s_limits = new();

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var service = new Argument<string>("service")
        {
            Description = "A service's name (./emu list), or the path of your own project",
            HelpName = "SERVICE",
        };
        var verb = new Command(
            "weave",
            "Weave direction into a service, and write its assembly. Example: ./emu weave LearningSwitch "
            + "--features print,set --out build/woven --direct-key key.txt")
        {
            service, s_features, s_out, s_key, s_address,
        };
        s_limits.AddTo(verb);
        verb.SetAction(parsed => Weave(parsed, ServiceCatalog.Find(parsed.GetValue(service)!)));
        return verb;
    }

    private static void Weave(ParseResult parsed, Type type)
    {
        MacAddress? address = parsed.GetValue(s_address) is { } text
            ? DirectionArguments.ReadAddress("--direct-address", text)
            : new ServiceArguments(type).Parameters.Any(p => p.Option == "--" + AddressParameter)
                ? null
                : s_usualAddress;
        var key = DirectionArguments.ReadKey("--direct-key", parsed.GetValue(s_key)!);
        var woven = WovenService.Write(
            type,
            s_limits.In(
                parsed,
                new WeaveOptions(DirectionArguments.ReadFeatures(parsed.GetValue(s_features)!), key, address)),
            parsed.GetValue(s_out)!);
        Console.Out.WriteLine(
            $"{woven}: {type.Name}, direction frames to {address?.ToString() ?? "the address that --mac names"}");
    }
}
