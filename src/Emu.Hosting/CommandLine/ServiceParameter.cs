using System.Globalization;
using System.Reflection;

namespace Emu.Hosting;

/// <summary>
/// One parameter of a service's constructor as an option of the command line: <c>ageingSeconds</c> is
/// <c>--ageing-seconds</c>.
/// </summary>
public sealed class ServiceParameter
{
    private readonly ParameterInfo _parameter;
    private readonly Type _type;

    internal ServiceParameter(ParameterInfo parameter, string description)
    {
        _parameter = parameter;
        IsMany = parameter.ParameterType.IsArray;
        var element = IsMany ? parameter.ParameterType.GetElementType()! : parameter.ParameterType;
        _type = Nullable.GetUnderlyingType(element) ?? element;
        Option = "--" + KebabCase(parameter.Name!);
        Description = description;
    }

    /// <summary>The option, with its two hyphens.</summary>
    public string Option { get; }

    /// <summary>The description of the parameter in the XML documentation.</summary>
    public string Description { get; }

    /// <summary>True if the option may be given several times: the parameter is an array.</summary>
    public bool IsMany { get; }

    /// <summary>True if the option stands alone, without a value.</summary>
    public bool IsSwitch => _type == typeof(bool);

    /// <summary>True if there is no default.</summary>
    public bool IsRequired => !_parameter.HasDefaultValue;

    /// <summary>The default as a person would write it; empty when there is none worth showing.</summary>
    public string Default => _parameter switch
    {
        { HasDefaultValue: false } or { DefaultValue: null or false } => "",
        { DefaultValue: Enum value } => KebabCase($"{value}"),
        _ => $"{_parameter.DefaultValue}",
    };

    /// <summary>The name of the value in help texts: MAC, IPv4, N.</summary>
    public string ValueName =>
        _type.Name.EndsWith("Address", StringComparison.Ordinal)
        ? _type.Name[..^"Address".Length].Replace("Mac", "MAC", StringComparison.Ordinal)
        : IsNumber ? "N"
        : _type == typeof(string) ? "TEXT"
        : KebabCase(_type.Name).ToUpperInvariant();

    /// <summary>The option with its value, as it is written.</summary>
    public string Form => IsSwitch ? Option : $"{Option} {ValueName}";

    /// <summary>The description, with the default and whether it is required.</summary>
    public string Text =>
        Description
        + (IsRequired ? " (required)" : Default.Length > 0 ? $" [default: {Default}]" : "")
        + (IsMany ? " (may be repeated)" : "");

    private bool IsNumber => _type.IsPrimitive && !IsSwitch || _type == typeof(UInt128);

    internal bool Names(string? parameter) => _parameter.Name == parameter;

    /// <summary>The argument for the constructor.</summary>
    /// <param name="texts">The texts that the user gave for this option; empty when it was not given.</param>
    /// <exception cref="CommandException">A text is not a value of the parameter's type.</exception>
    internal object? Bind(IReadOnlyList<string> texts)
    {
        if (texts.Count == 0) return Missing();
        if (!IsMany) return Convert(texts[^1]);
        var array = Array.CreateInstance(_type, texts.Count);
        for (var i = 0; i < texts.Count; i++) array.SetValue(Convert(texts[i]), i);
        return array;
    }

    /// <summary>The default; a struct's <c>default</c> shows as null in metadata.</summary>
    private object? Missing()
    {
        if (_parameter.DefaultValue is not null || !_parameter.ParameterType.IsValueType)
            return _parameter.DefaultValue;
        return Nullable.GetUnderlyingType(_parameter.ParameterType) is null
            ? Activator.CreateInstance(_parameter.ParameterType)
            : null;
    }

    private object Convert(string text)
    {
        try
        {
            if (_type == typeof(string)) return text;
            if (_type.IsEnum) return Named(text);
            // Names of numbers as C# writes them: a mask or a seed reads best in hexadecimal.
            if (IsNumber && text.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
            {
                if (_type == typeof(UInt128))
                    return UInt128.Parse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
                return System.Convert.ChangeType(
                    ulong.Parse(text.AsSpan(2), NumberStyles.AllowHexSpecifier), _type, CultureInfo.InvariantCulture);
            }
            var parse = _type.GetInterfaceMap(typeof(IParsable<>).MakeGenericType(_type)).TargetMethods
                .First(m => m.Name.EndsWith("Parse", StringComparison.Ordinal) && m.ReturnType == _type);
            return parse.Invoke(null, [text, CultureInfo.InvariantCulture])!;
        }
        catch (Exception exception)
            when ((exception as TargetInvocationException)?.InnerException is FormatException
                    or OverflowException or ArgumentException
                || exception is ArgumentException or FormatException or OverflowException)
        {
            throw CommandException.Usage(
                $"{Option}: {Reason((exception as TargetInvocationException)?.InnerException ?? exception, text)}");
        }
    }

    /// <summary>A value of the enumeration by its name; no number, which may be of none.</summary>
    private object Named(string text) => Enum.GetValues(_type).Cast<object>().FirstOrDefault(value =>
        text.Replace("-", "", StringComparison.Ordinal).Equals($"{value}", StringComparison.OrdinalIgnoreCase))
        ?? throw new FormatException();

    private string Reason(Exception exception, string text) => exception switch
    {
        _ when _type.IsEnum => $"'{text}' is none of {string.Join(", ", Enum.GetNames(_type).Select(KebabCase))}",
        OverflowException => $"'{text}' is out of range",
        FormatException when !IsNumber && !IsSwitch => exception.Message,
        ArgumentException => $"a {_type.Name} cannot be read from '{text}'",
        _ when _type == typeof(bool) => $"'{text}' is neither true nor false",
        _ => $"'{text}' is not a whole number",
    };

    private static string KebabCase(string name) =>
        string.Concat(
            name.Select((c, i) => char.IsUpper(c) ? (i > 0 ? "-" : "") + char.ToLowerInvariant(c) : c.ToString()));
}
