using System.CommandLine;
using System.Globalization;
using System.Security.Cryptography;
using Emu.Direction.Weaving;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The options that weave direction into a service on the way.</summary>
internal sealed class DirectionArguments
{
    private const int KeyDigits = 32;

    private readonly Option<string?> _features = new("--direct")
    {
        Description = $"Weave direction into the service: some of {DirectionFeatures.Known}",
        HelpName = "FEATURES",
    };

    private readonly Option<string?> _key = new("--direct-key")
    {
        Description = $"The key of direction: a file with {KeyDigits} hexadecimal digits",
        HelpName = "FILE",
    };

    private readonly Option<string?> _address = new("--direct-address")
    {
        Description = "The MAC address of direction frames (the service's --mac)",
        HelpName = "MAC",
    };

    private readonly DirectionLimits _limits = new();

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in new Option[] { _features, _key, _address }) command.Options.Add(option);
        _limits.AddTo(command);
    }

    /// <summary>The key in a file.</summary>
    /// <exception cref="CommandException">There is no such file, or it holds no key.</exception>
    public static UInt128 ReadKey(string option, string file)
    {
        try
        {
            var text = File.ReadAllText(file).Trim();
            if (text.Length == KeyDigits && UInt128.TryParse(
                text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var key))
                return key;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw CommandException.Usage($"{option}: {exception.Message.ReplaceLineEndings(" ")}");
        }
        throw CommandException.Usage($"{option}: {file} does not hold {KeyDigits} hexadecimal digits, the key");
    }

    /// <summary>The features of a list.</summary>
    /// <exception cref="CommandException">One is not known.</exception>
    public static DirectionFeatures ReadFeatures(string list)
    {
        try
        {
            return DirectionFeatures.Parse(list);
        }
        catch (WeaveException exception)
        {
            throw CommandException.Usage(exception.Message);
        }
    }

    /// <summary>The address that an option names.</summary>
    /// <exception cref="CommandException">It is none.</exception>
    public static MacAddress ReadAddress(string option, string text) =>
        MacAddress.TryParse(text, CultureInfo.InvariantCulture, out var address)
            ? address
            : throw CommandException.Usage($"{option}: '{text}' is no MAC address, such as 02:00:00:00:00:02");

    /// <summary>The service, with direction woven into it if the user asks for it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="type">The service.</param>
    /// <param name="arguments">The arguments of the service.</param>
    /// <param name="drawsKey">True if a key may be drawn where none is given.</param>
    /// <param name="bootCount">Another number for each start, or 0.</param>
    /// <exception cref="CommandException">An option is wrong or missing, or the service cannot be woven.</exception>
    public Type Woven(
        ParseResult parsed, Type type, IReadOnlyList<string> arguments, bool drawsKey, uint bootCount = 0)
    {
        if (parsed.GetValue(_features) is not { } features)
        {
            return parsed.GetValue(_key) is null && parsed.GetValue(_address) is null && !_limits.AreGiven(parsed)
                ? type
                : throw CommandException.Usage("options --direct-… come with --direct FEATURES");
        }
        MacAddress? address = parsed.GetValue(_address) is { } text ? ReadAddress("--direct-address", text)
            : arguments.Any(a => a == "--mac" || a.StartsWith("--mac=", StringComparison.Ordinal)) ? null
            : throw CommandException.Usage(
                "--direct-address: name the MAC address of direction frames, such as 02:00:00:00:00:02; "
                + $"{type.Name} is not given one by --mac");
        var key = parsed.GetValue(_key) is { } file ? ReadKey("--direct-key", file)
            : drawsKey ? Draw()
            : throw CommandException.Usage(
                $"--direct-key FILE is needed, {KeyDigits} hexadecimal digits: a circuit is the same every time");
        return WovenService.Load(
            type,
            _limits.In(parsed, new WeaveOptions(ReadFeatures(features), key, address, bootCount)));
    }

    private static UInt128 Draw()
    {
        var text = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(KeyDigits / 2));
        Console.Error.WriteLine($"direction key: {text}");
        return UInt128.Parse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
    }
}
