using System.CommandLine;
using System.Reflection;

namespace Emu.Hosting;

/// <summary>
/// Constructs a service from command-line arguments: each parameter of its constructor is an option, or where it is a
/// class of settings each property of that.
/// </summary>
public sealed class ServiceArguments
{
    private readonly Type _type;
    private readonly ConstructorInfo _constructor;
    private readonly List<Func<ParseResult, object?>> _values = [];
    private readonly List<ServiceParameter> _parameters = [];
    private readonly Dictionary<ServiceParameter, Option<string[]>> _options = [];

    /// <summary>Reads the constructor of a service and its XML documentation.</summary>
    /// <param name="service">A class derived from <see cref="Service"/>, with one public constructor.</param>
    /// <exception cref="CommandException">It is not such a class.</exception>
    public ServiceArguments(Type service)
    {
        ArgumentNullException.ThrowIfNull(service);
        var constructors = service.GetConstructors();
        if (!service.IsSubclassOf(typeof(Service)) || service.IsAbstract
            || service.ContainsGenericParameters || constructors.Length != 1)
            throw CommandException.Failure(
                $"{service.FullName} cannot be run: a service is a class derived from Emu.Service, not abstract, "
                + "with one public constructor");

        _type = service;
        _constructor = constructors[0];
        var documentation = new XmlDocumentation(service.Assembly);
        Summary = documentation.Summary(service);
        Example = documentation.Example(service);
        foreach (var parameter in _constructor.GetParameters()) Add(parameter, documentation);
    }

    /// <summary>The purpose of the service, in a line.</summary>
    public string Summary { get; }

    /// <summary>Arguments to try it with, from its documentation; empty when it has none.</summary>
    public string Example { get; }

    /// <summary><see cref="Example"/> as a list.</summary>
    /// <exception cref="CommandException">The service has no example.</exception>
    public IReadOnlyList<string> ExampleArguments => Example.Length > 0
        ? Example.Split(' ')
        : throw CommandException.Usage(
            $"{_type.Name} has no <example> in its documentation; give its arguments behind --");

    /// <summary>Its options.</summary>
    public IReadOnlyList<ServiceParameter> Parameters => _parameters;

    /// <summary>The options as a command of their own, for help texts and parsing.</summary>
    public Command ToCommand()
    {
        var command = new Command(_type.Name, Summary);
        _options.Clear();
        foreach (var parameter in Parameters)
        {
            var option = new Option<string[]>(parameter.Option)
            {
                Description = parameter.Text,
                HelpName = parameter.IsSwitch ? null : parameter.ValueName,
                Required = parameter.IsRequired,
                Arity = parameter.IsSwitch ? ArgumentArity.ZeroOrOne
                    : parameter.IsMany ? ArgumentArity.OneOrMore
                    : ArgumentArity.ExactlyOne,
                AllowMultipleArgumentsPerToken = false,
                // Without it an array is refused where one value is the most; the texts are bound by the parameter.
                CustomParser = result => [.. result.Tokens.Select(token => token.Value)],
            };
            _options[parameter] = option;
            command.Options.Add(option);
        }
        return command;
    }

    /// <summary>Constructs the service.</summary>
    /// <param name="arguments">The arguments behind <c>--</c> on the command line.</param>
    /// <exception cref="CommandException">
    /// An option is unknown, missing or wrong, or the constructor refuses its value.
    /// </exception>
    public Service Construct(IReadOnlyList<string> arguments)
    {
        var parsed = ToCommand().Parse(arguments);
        if (parsed.Errors.Count > 0) throw CommandException.Usage($"{_type.Name}: {parsed.Errors[0].Message}{Hint}");
        var values = _values.Select(value => value(parsed)).ToArray();
        try
        {
            return (Service)_constructor.Invoke(values);
        }
        catch (TargetInvocationException exception) when (exception.InnerException is ArgumentException refused)
        {
            var parameter = Parameters.FirstOrDefault(p => p.Names(refused.ParamName));
            throw CommandException.Usage(
                $"{_type.Name}: {(parameter is null ? "" : parameter.Option + ": ")}{FirstSentence(refused)}");
        }
        catch (TargetInvocationException exception)
        {
            throw CommandException.Failure(
                $"{_type.Name}: its constructor failed: {exception.InnerException!.GetType().Name}: "
                + $"{exception.InnerException.Message.ReplaceLineEndings(" ")}");
        }
    }

    private void Add(ParameterInfo parameter, XmlDocumentation documentation)
    {
        if (ServiceSettings.Of(parameter.ParameterType) is { } settings)
        {
            _parameters.AddRange(settings.Parameters);
            _values.Add(parsed => settings.Bind(option => option.Bind(Texts(parsed, option))));
            return;
        }
        var own = new ServiceParameter(parameter, documentation.Parameter(_constructor, parameter.Name!));
        _parameters.Add(own);
        _values.Add(parsed => own.Bind(Texts(parsed, own)));
    }

    private string Hint =>
        Parameters.Count == 0
            ? " (it takes no arguments)"
            : $" (it takes {string.Join(", ", Parameters.Select(p => p.Option))})";

    private List<string> Texts(ParseResult parsed, ServiceParameter parameter)
    {
        var result = parsed.GetResult(_options[parameter]);
        if (result is null || result.Implicit) return [];
        var texts = result.Tokens.Select(t => t.Value).ToList();
        return parameter.IsSwitch && texts.Count == 0 ? ["true"] : texts;
    }

    /// <summary>The runtime puts the parameter's name and value behind the message.</summary>
    private static string FirstSentence(ArgumentException refused) =>
        refused.Message.Split(" (Parameter")[0].ReplaceLineEndings(" ");
}
