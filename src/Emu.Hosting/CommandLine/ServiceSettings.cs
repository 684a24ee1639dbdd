using System.Reflection;

namespace Emu.Hosting;

/// <summary>
/// A parameter of a service's constructor that is a class of settings: each of its properties is an option of the
/// command line.
/// </summary>
internal sealed class ServiceSettings
{
    private readonly ConstructorInfo _constructor;
    private readonly List<(PropertyInfo Property, ServiceParameter Parameter)> _members = [];

    private ServiceSettings(ConstructorInfo constructor)
    {
        _constructor = constructor;
        var type = constructor.DeclaringType!;
        var documentation = new XmlDocumentation(type.Assembly);
        var defaults = constructor.Invoke([]);
        foreach (var property in type.GetProperties().Where(property => property.SetMethod?.IsPublic == true))
            _members.Add((property, new ServiceParameter(
                property, property.GetValue(defaults), documentation.Summary(property))));
    }

    /// <summary>The options, in the order of the properties.</summary>
    public IEnumerable<ServiceParameter> Parameters => _members.Select(member => member.Parameter);

    /// <summary>The settings of a parameter's type; null where the parameter is one option.</summary>
    /// <param name="type">A class with a constructor without parameters, and no text of its own.</param>
    public static ServiceSettings? Of(Type type) =>
        type.IsClass && !type.IsArray && type != typeof(string)
        && !type.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IParsable<>))
        && type.GetConstructor([]) is { } constructor
            ? new ServiceSettings(constructor)
            : null;

    /// <summary>The object, with what was given set.</summary>
    /// <param name="value">The value of an option.</param>
    public object Bind(Func<ServiceParameter, object?> value)
    {
        var settings = _constructor.Invoke([]);
        foreach (var (property, parameter) in _members) property.SetValue(settings, value(parameter));
        return settings;
    }
}
